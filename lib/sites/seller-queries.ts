import { and, asc, count, desc, eq, ilike, isNull, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { type CappedCount, countUpTo } from '../../db/count-up-to';
import { type SiteStatus, siteStatuses, sites } from '../../db/schema/sites';
import type { Reader } from '../../db/snapshot';
import type { Actor } from '../access/actor';
import { convertToUsdCents } from '../money';
import type { CappedPage } from '../platform/http/fields';
import { listResponse } from '../platform/http/list-response';
import { getExchangeRates } from '../settings/rates/exchange-rates';
import { gapConditions, type SellerGap, type SellerSiteRow, sellerSiteView } from './seller-view';

export const sellerSortKeys = ['added', 'name', 'dr', 'traffic', 'spam', 'status'] as const;
type SellerSortKey = (typeof sellerSortKeys)[number];

export type SellerSitesQuery = {
  /** A case-insensitive search in name, URL, niche and country. */
  q?: string;
  status?: SiteStatus;
  gap?: SellerGap;
  sort?: { key: SellerSortKey; order: 'asc' | 'desc' };
  /** Absent: all sites. */
  limit?: number;
  offset?: number;
};

const sortColumns = {
  added: sites.createdAt,
  name: sites.name,
  dr: sites.dr,
  traffic: sites.traffic,
  spam: sites.spam,
  status: sites.status,
} as const satisfies Record<SellerSortKey, unknown>;

/** Columns that the seller may read. The admin price and the public price are not selected. */
const ownColumns = {
  id: sites.id,
  name: sites.name,
  url: sites.url,
  dr: sites.dr,
  da: sites.da,
  traffic: sites.traffic,
  spam: sites.spam,
  country: sites.country,
  language: sites.language,
  niche: sites.niche,
  postType: sites.postType,
  followType: sites.followType,
  sellerPriceCents: sites.sellerPriceCents,
  currency: sites.publicCurrency,
  tat: sites.tat,
  status: sites.status,
  version: sites.version,
};

/** Finds a seller's own site; null if it does not exist or belongs to another user. */
export async function findSellerSite(ownerId: string, id: number): Promise<SellerSiteRow | null> {
  const [site] = await db()
    .select(ownColumns)
    .from(sites)
    .where(and(eq(sites.id, id), ownedBy(ownerId)));
  return site ?? null;
}

/** Lists a seller's own sites, newest first unless sorted, and the total over all pages. */
export async function listSellerSites(
  ownerId: string,
  query: SellerSitesQuery = {},
): Promise<CappedPage<SellerSiteRow>> {
  const list = selectSellerSites(ownerId, query)(db());
  const [rows, counted] = await Promise.all([
    query.limit === undefined ? list : list.limit(query.limit),
    countSellerSites(ownerId, query),
  ]);
  return { rows, ...counted };
}

/** Builds the query of `listSellerSites` without a limit. */
export const selectSellerSites = (ownerId: string, query: SellerSitesQuery) => (on: Reader) => {
  const { sort = { key: 'added', order: 'desc' }, offset = 0 } = query;
  const column = sortColumns[sort.key];
  return (
    on
      .select(ownColumns)
      .from(sites)
      .where(sellerCondition(ownerId, query))
      // Unknown values come last in both directions.
      .orderBy(
        sort.order === 'asc' ? sql`${column} asc nulls last` : sql`${column} desc nulls last`,
        tieBreak(sort.order),
      )
      .offset(offset)
  );
};

/** Counts a seller's own sites that match a filter. */
const countSellerSites = (ownerId: string, query: SellerSitesQuery, on: Executor = db()): Promise<CappedCount> =>
  countUpTo(
    (limit) =>
      db()
        .select({ one: sql`1`.as('one') })
        .from(sites)
        .where(sellerCondition(ownerId, query))
        .limit(limit),
    on,
  );

const sellerCondition = (ownerId: string, query: SellerSitesQuery) => and(ownedBy(ownerId), ...buildConditions(query));

const tieBreak = (order: 'asc' | 'desc') => (order === 'asc' ? asc(sites.id) : desc(sites.id));

const ownedBy = (ownerId: string) => and(eq(sites.ownerId, ownerId), isNull(sites.deletedAt));

function buildConditions({ q, status, gap }: SellerSitesQuery): SQL[] {
  const found: (SQL | undefined)[] = [];
  if (q) {
    // Escapes the wildcards of LIKE.
    const pattern = `%${q.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    found.push(or(...[sites.name, sites.url, sites.niche, sites.country].map((column) => ilike(column, pattern))));
  }
  if (status) found.push(eq(sites.status, status));
  if (gap) found.push(gapConditions[gap]);
  return found.filter((condition) => condition !== undefined);
}

export type SellerStats = {
  approved: number;
  pending: number;
  rejected: number;
  /** The seller's average price of approved sites in USD cents; null if no approved site has a price. */
  averagePriceCents: number | null;
};

/** Returns a seller's sites by status. Prices in other currencies are converted at the current rate. */
export async function getSellerStats(ownerId: string): Promise<SellerStats> {
  const [rows, rates] = await Promise.all([
    db()
      .select({
        status: sites.status,
        currency: sites.publicCurrency,
        count: count(),
        priced: count(sites.sellerPriceCents),
        priceCents: sql<number>`coalesce(sum(${sites.sellerPriceCents}), 0)`.mapWith(Number),
      })
      .from(sites)
      .where(ownedBy(ownerId))
      .groupBy(sites.status, sites.publicCurrency),
    getExchangeRates(),
  ]);
  const stats = { approved: 0, pending: 0, rejected: 0 };
  let priced = 0;
  let sumUsdCents = 0;
  for (const row of rows) {
    stats[statKeyByStatus[row.status]] += row.count;
    // Skips currencies without an exchange rate.
    const rate = row.currency === 'USD' ? 1_000_000 : rates.get(row.currency);
    if (row.status !== 'Approved' || !rate) continue;
    priced += row.priced;
    sumUsdCents += convertToUsdCents(row.priceCents, rate);
  }
  return { ...stats, averagePriceCents: priced === 0 ? null : Math.round(sumUsdCents / priced) };
}

const statKeyByStatus = { Approved: 'approved', Pending: 'pending', Rejected: 'rejected' } as const satisfies Record<
  SiteStatus,
  string
>;

/** Counts a seller's sites with each gap; null for a seller without sites. */
export async function countSellerGaps(ownerId: string): Promise<Record<SellerGap, number> | null> {
  const countOf = (gap: SellerGap) => sql<number>`count(*) filter (where ${gapConditions[gap]})`.mapWith(Number);
  const [row] = await db()
    .select({
      total: count(),
      gaps: { niche: countOf('niche'), spam: countOf('spam'), metrics: countOf('metrics'), stale: countOf('stale') },
    })
    .from(sites)
    .where(ownedBy(ownerId));
  return row && row.total > 0 ? row.gaps : null;
}

/** The query of GET /api/seller/sites. Without a limit, the response has the whole list. */
export const sellerSitesQuery = z.object({
  q: z.string().trim().max(200).optional(),
  status: z.enum(siteStatuses).optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
});

/** Answers GET /api/seller/sites. @throws AppError rate_limited for a long list without a limit */
export const respondWithSellerSites = (actor: Actor, query: z.output<typeof sellerSitesQuery>) =>
  listResponse({
    caller: actor,
    limit: query.limit,
    rows: selectSellerSites(actor.userId, query),
    count: (on) => countSellerSites(actor.userId, query, on),
    view: sellerSiteView,
  });
