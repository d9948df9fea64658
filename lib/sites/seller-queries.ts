import { and, count, desc, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { NextResponse } from 'next/server';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countCap } from '@/db/count-up-to';
import { type OwnershipMethod, ownershipProofs } from '@/db/schema/ownership-proofs';
import { type SiteStatus, type SiteStatusFilter, siteStatusFilters, sites } from '@/db/schema/sites';
import { textContains } from '@/db/search';
import type { Reader } from '@/db/snapshot';
import type { Actor } from '@/lib/access/actor';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { convertToUsdCents } from '@/lib/money';
import { listSpellings, normalizeSearch } from '@/lib/network/search-words';
import { generateCsv } from '@/lib/platform/csv';
import { choiceParam, integerParam, numberCursorField, offsetParam } from '@/lib/platform/http/fields';
import { listResponse, pageResponse } from '@/lib/platform/http/list-response';
import { getExchangeRates } from '@/lib/settings/exchange-rates';
import { exportColumns } from './import/edit-columns';
import { siteNotFoundError } from './lock';
import type { sellerSiteResponse } from './responses';
import { gapConditions, type SellerGap, type SellerSiteRow, sellerGaps, sellerSiteView } from './seller-view';
import { countSiteList, getCountedSitePage, isAwaitingPrice, type SiteList, statusList } from './site-page';
import type { SiteRow } from './views';

export const sellerSortKeys = ['added', 'name', 'dr', 'traffic', 'spam', 'status'] as const;
type SellerSortKey = (typeof sellerSortKeys)[number];

export type SellerSitesQuery = {
  /** A case-insensitive search in name, URL, niche and country. */
  q?: string;
  status?: SiteStatusFilter;
  gap?: SellerGap;
  sort?: { key: SellerSortKey; order: 'asc' | 'desc' };
};

/** Columns that the seller may read. The admin price and the public price are not selected, only whether there is one. */
const ownColumns = {
  id: sites.id,
  name: sites.name,
  url: sites.url,
  dr: sites.dr,
  da: sites.da,
  traffic: sites.traffic,
  spam: sites.spam,
  figureSources: sites.figureSources,
  country: sites.country,
  language: sites.language,
  niche: sites.niche,
  postType: sites.postType,
  followType: sites.followType,
  sellerPriceCents: sites.sellerPriceCents,
  currency: sites.publicCurrency,
  tat: sites.tat,
  samplePosts: sites.samplePosts,
  rules: sites.rules,
  status: sites.status,
  ownership: sites.ownership,
  // Drizzle would omit the name of the table.
  ownershipMethod: sql<OwnershipMethod | null>`(select p.method from ${ownershipProofs} p
    where p.seller_id = sites.owner_id and p.domain = sites.domain)`,
  isAwaitingPrice,
  pausedAt: sites.pausedAt,
  pausedUntil: sites.pausedUntil,
  rejectionReason: sites.rejectionReason,
  rejectionNote: sites.rejectionNote,
  version: sites.version,
};

/** Finds a seller's own site; null if it does not exist or belongs to another user. */
export async function findSellerSite(ownerId: string, id: number, on: Executor = db()): Promise<SellerSiteRow | null> {
  const [site] = await on
    .select(ownColumns)
    .from(sites)
    .where(and(eq(sites.id, id), ownedBy(ownerId)));
  return site ?? null;
}

/** Returns a seller's own site. @throws AppError not_found */
export async function getSellerSite(ownerId: string, id: number, on?: Executor): Promise<SellerSiteRow> {
  const site = await findSellerSite(ownerId, id, on);
  if (!site) throw siteNotFoundError(id);
  return site;
}

/** Lists a page of a seller's own sites, newest first unless sorted. */
export const listSellerSites = (
  ownerId: string,
  { limit, offset, cursor, ...query }: SellerSitesQuery & PageRequest,
): Promise<CursorPage<SellerSiteRow> & CappedCount> =>
  getCountedSitePage(toSiteList(ownerId, query), { limit, offset, cursor }, (where, orderBy) =>
    db().select(ownColumns).from(sites).where(where).orderBy(orderBy),
  );

/** Builds the query of the whole list, newest first. */
export const selectSellerSites =
  (ownerId: string, { offset = 0, ...query }: SellerSitesQuery & { offset?: number }) =>
  (on: Reader) =>
    on
      .select(ownColumns)
      .from(sites)
      .where(and(isNull(sites.deletedAt), toSiteList(ownerId, query).where))
      .orderBy(desc(sites.id))
      .offset(offset);

/** Returns the condition of a filter over a seller's sites, besides that they are not deleted. */
export const sellerSitesCondition = (ownerId: string, query: SellerSitesQuery): SQL | undefined =>
  toSiteList(ownerId, query).where;

/** Lists the ids of the newest sites of a filter. */
export async function listSellerSiteIds(ownerId: string, query: SellerSitesQuery, limit: number): Promise<number[]> {
  const rows = await db()
    .select({ id: sites.id })
    .from(sites)
    .where(and(isNull(sites.deletedAt), sellerSitesCondition(ownerId, query)))
    .orderBy(desc(sites.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Small enough to read and format a batch within a few milliseconds. */
const exportBatch = 250;

/** Exports a seller's own sites as CSV, newest first, in the columns that an edit by file reads. */
export function exportOwnSites(
  ownerId: string,
  filter: z.output<typeof sellerSitesFilter>,
  on: Reader = db(),
): AsyncGenerator<string> {
  async function* batches() {
    let rows: SiteRow[];
    let before: number | undefined;
    do {
      const where = and(
        isNull(sites.deletedAt),
        toSiteList(ownerId, filter).where,
        before === undefined ? undefined : lt(sites.id, before),
      );
      rows = await on.select().from(sites).where(where).orderBy(desc(sites.id)).limit(exportBatch);
      before = rows.at(-1)?.id;
      yield rows;
    } while (rows.length === exportBatch);
  }
  return generateCsv(exportColumns, batches());
}

const toSiteList = (
  ownerId: string,
  { q, status, gap, sort = { key: 'added', order: 'desc' } }: SellerSitesQuery,
): SiteList => ({
  where: and(
    eq(sites.ownerId, ownerId),
    statusList(status).where,
    gap && gapConditions[gap],
    q ? containsText(q) : undefined,
  ),
  sort,
  isUnlisted: statusList(status).isUnlisted,
  // The search covers more than the index of the catalogue.
  isSearch: false,
  isSearched: Boolean(q),
  // An index holds the few sites with another status than Approved.
  ...(status && status !== 'Approved' && sort.key !== 'status' && { isSplit: true }),
});

const containsText = (q: string): SQL | undefined =>
  or(
    textContains(sql`${sites.searchText}`, ...listSpellings(normalizeSearch(q))),
    ...[sites.niche, sites.country].map((column) => textContains(sql`lower(${column})`, q)),
  );

const ownedBy = (ownerId: string) => and(eq(sites.ownerId, ownerId), isNull(sites.deletedAt));

/** Selects the newest sites of a seller, under the table's name: one more than are counted. */
const selectNewest = (ownerId: string) =>
  db()
    .select()
    .from(sites)
    .where(ownedBy(ownerId))
    .orderBy(desc(sites.id))
    .limit(countCap + 1)
    .as('sites');

/** Counts a seller's newest sites by status. Prices in other currencies are converted at the current rate. */
export async function getSellerStats(ownerId: string) {
  const [rows, rates] = await Promise.all([
    db()
      .select({
        status: sites.status,
        currency: sites.publicCurrency,
        count: count(),
        paused: count(sites.pausedAt),
        priced: count(sites.sellerPriceCents),
        priceCents: sql<number>`coalesce(sum(${sites.sellerPriceCents}), 0)`.mapWith(Number),
      })
      .from(selectNewest(ownerId))
      .groupBy(sites.status, sites.publicCurrency),
    getExchangeRates(),
  ]);
  const stats = { approved: 0, pending: 0, rejected: 0 };
  let paused = 0;
  let priced = 0;
  let sumUsdCents = 0;
  for (const row of rows) {
    stats[statKeyByStatus[row.status]] += row.count;
    if (row.status === 'Approved') paused += row.paused;
    // Skips currencies without an exchange rate.
    const rate = row.currency === 'USD' ? 1_000_000 : rates.get(row.currency);
    if (row.status !== 'Approved' || !rate) continue;
    priced += row.priced;
    sumUsdCents += convertToUsdCents(row.priceCents, rate);
  }
  return {
    ...stats,
    /** Of the approved sites, those that the seller paused. */
    paused,
    averagePriceCents: priced === 0 ? null : Math.round(sumUsdCents / priced),
    isCapped: stats.approved + stats.pending + stats.rejected > countCap,
  };
}

export type SellerStats = Awaited<ReturnType<typeof getSellerStats>>;

const statKeyByStatus = { Approved: 'approved', Pending: 'pending', Rejected: 'rejected' } as const satisfies Record<
  SiteStatus,
  string
>;

export type SellerGapCounts = {
  gaps: Record<SellerGap, number>;
  /** Whether the counts are of the newest 10,000 sites only. */
  isCapped: boolean;
};

/** Counts a seller's newest sites with each gap; null for a seller without sites. */
export async function countSellerGaps(ownerId: string): Promise<SellerGapCounts | null> {
  const countOf = (gap: SellerGap) => sql<number>`count(*) filter (where ${gapConditions[gap]})`.mapWith(Number);
  const [row] = await db()
    .select({
      total: count(),
      gaps: {
        ...{ niche: countOf('niche'), spam: countOf('spam'), metrics: countOf('metrics'), stale: countOf('stale') },
        ownership: countOf('ownership'),
      },
    })
    .from(selectNewest(ownerId));
  return row && row.total > 0 ? { gaps: row.gaps, isCapped: row.total > countCap } : null;
}

/** The filter of GET /api/seller/sites, of My Sites, its export and a bulk change. */
export const sellerSitesFilter = z.object({
  q: z.string().trim().max(2_048).optional(),
  status: choiceParam(siteStatusFilters)
    .optional()
    .describe('A status; `awaiting-price` for approved sites without a public price, `paused` for paused ones.'),
  gap: choiceParam(sellerGaps).optional().describe('What is missing or outdated.'),
});

/** The query of GET /api/seller/sites. Without a limit, the response has the whole list. */
export const sellerSitesQuery = sellerSitesFilter.extend({
  limit: integerParam(1, 1_000).optional(),
  offset: offsetParam,
  cursor: numberCursorField,
});

/** Answers GET /api/seller/sites. @throws AppError rate_limited for a long list without a limit */
export async function respondWithSellerSites(
  actor: Actor,
  { limit, ...query }: z.output<typeof sellerSitesQuery>,
): Promise<NextResponse<z.output<typeof sellerSiteResponse>[]>> {
  if (limit === undefined) {
    return listResponse({
      caller: actor,
      limit,
      rows: selectSellerSites(actor.userId, query),
      count: (on) => countSiteList(toSiteList(actor.userId, query), on),
      view: sellerSiteView,
    });
  }
  return pageResponse(await listSellerSites(actor.userId, { ...query, limit }), sellerSiteView);
}
