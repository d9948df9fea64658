import { and, asc, desc, eq, gte, inArray, lt, ne, not, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { getIndexRanges, type ListOrder, readRanges } from '@/db/read-sorted-page';
import type { Reading } from '@/db/replicas';
import { sites, siteValue } from '@/db/schema/sites';
import type { Reader } from '@/db/snapshot';
import { AppError } from '@/lib/errors';
import { isBlocked } from '@/lib/projects/blocked-domains';
import { listFigures } from '@/lib/sites/domain-figures/list';
import { getListingRecord } from '@/lib/sites/record/read';
import type { siteDetailResponse } from '@/lib/sites/responses';
import {
  type AdminSiteRow,
  type PublicSiteRow,
  publicSiteView,
  type SiteDetail,
  siteDetailView,
} from '@/lib/sites/views';
import { isListed, siteCondition, siteOrder } from './filter-sql';
import { findPause } from './find-pause';
import { markLinked } from './personal';
import { encodeCursor, type SiteSortKey, type SitesQuery } from './schemas';

/** The limit of a capped count. */
export const countCap = 1_000;

/**
 * Counts the listed sites that match a filter. A capped count stops at 1,000, so its cost does not depend on the size of
 * the catalogue.
 * @param also an additional condition specific to one user; such counts must not be cached for all users
 */
export function countListed(
  filter: SitesQuery,
  kind: 'exact' | 'capped',
  also?: SQL,
  on?: Reading,
): Promise<CappedCount> {
  return countSites(and(isListed, siteCondition(filter), also), kind === 'capped' ? countCap : undefined, on);
}

/** Counts the sites that match a condition. With a cap, counting stops there. */
export async function countSites(where: SQL | undefined, cap?: number, on: Reading = db()): Promise<CappedCount> {
  if (cap === undefined) return { total: await on.$count(sites, where), isCapped: false };
  return countRows(sites, where, on, cap);
}

/** A listed site, with its value for the price by which the list is sorted; null if it is unknown. */
export type ListedRow = PublicSiteRow & { value: number | null };

export type ListedPage = {
  rows: ListedRow[];
  /** Cursors of the adjacent pages; null at the ends of the list. */
  next: string | null;
  previous: string | null;
};

/**
 * Lists a page of the catalogue as buyers see it: approved, priced sites that match. With an offset, the cost grows with
 * the offset; with a cursor, it does not. Without a limit, returns the whole list.
 * @param also an additional condition specific to one user; such pages must not be cached for all users
 */
export async function listListedPage(query: SitesQuery, also?: SQL, on?: Reading): Promise<ListedPage> {
  const { sort = 'price', order = 'asc', limit, offset = 0, cursor } = query;
  const matches = and(isListed, siteCondition(query), also);
  if (limit === undefined) {
    const rows = await selectListed(matches, siteOrder(query), on).offset(offset);
    return { rows, next: null, previous: null };
  }
  // Reads one row more than the limit to detect a further page.
  const isBack = cursor?.toward === 'previous';
  const found = await readRanges(
    getIndexRanges(toListOrder({ sort, order }), cursor, isBack),
    { limit: limit + 1, offset },
    (range) => selectListed(and(matches, range.where), [range.orderBy], on).limit(range.limit).offset(range.offset),
    async (where) => (await countSites(and(matches, where), undefined, on)).total,
  );
  const hasMore = found.length > limit;
  const rows = found.slice(0, limit);
  if (isBack) rows.reverse();
  const cursorAt = (row: ListedRow | undefined, toward: 'next' | 'previous') =>
    row ? encodeCursor({ toward, sort, order, value: getSortValue(row, sort), id: row.id }) : null;
  return {
    rows,
    next: isBack || hasMore ? cursorAt(rows.at(-1), 'next') : null,
    previous: (isBack ? hasMore : cursor !== undefined || offset > 0) ? cursorAt(rows[0], 'previous') : null,
  };
}

/** Builds the query of the whole list, starting at its offset. */
export const selectAllListed = (query: SitesQuery, also?: SQL) => (on: Reader) =>
  selectListed(and(isListed, siteCondition(query), also), siteOrder(query), on).offset(query.offset ?? 0);

function selectListed(where: SQL | undefined, orderBy: SQL[], on: Reader = db()) {
  return on
    .select(listedColumns)
    .from(sites)
    .where(where)
    .orderBy(...orderBy);
}

/** Returns the value by which a site is sorted, for its cursor. */
export function getSortValue(
  row: (PublicSiteRow | AdminSiteRow) & Pick<ListedRow, 'value'>,
  sort: SiteSortKey,
): string | number | null {
  if (sort === 'added') return row.id;
  return sort === 'price' ? row.publicPriceUsdCents : row[sort];
}

/** Columns that buyers may read. The seller's price, the admin price and the owner are not selected. */
export const listedColumns = {
  id: sites.id,
  name: sites.name,
  url: sites.url,
  domain: sites.domain,
  niche: sites.niche,
  postType: sites.postType,
  country: sites.country,
  language: sites.language,
  followType: sites.followType,
  dr: sites.dr,
  da: sites.da,
  authorityScore: sites.authorityScore,
  spam: sites.spam,
  traffic: sites.traffic,
  keywordsCount: sites.keywordsCount,
  refDomains: sites.refDomains,
  figureSources: sites.figureSources,
  ownership: sites.ownership,
  reliability: sites.reliability,
  words: sites.words,
  tat: sites.tat,
  tatDays: sites.tatDays,
  publicPriceCents: sites.publicPriceCents,
  publicCurrency: sites.publicCurrency,
  publicPriceUsdCents: sites.publicPriceUsdCents,
  status: sites.status,
  value: siteValue,
};

const columns: Record<SiteSortKey, PgColumn | SQL | undefined> = {
  added: undefined,
  price: sites.publicPriceUsdCents,
  da: sites.da,
  dr: sites.dr,
  traffic: sites.traffic,
  name: sites.name,
  value: siteValue,
  reliability: sites.reliability,
};
/** Sort keys whose value may be unknown. Every listed site has a value for the others. */
const nullableSortKeys: readonly SiteSortKey[] = ['da', 'dr', 'traffic', 'value', 'reliability'];

/** Returns the order of a list by the catalogue's indexes (db/schema/sites.ts). */
export const toListOrder = ({ sort, order }: { sort: SiteSortKey; order: 'asc' | 'desc' }): ListOrder => ({
  id: sites.id,
  value: columns[sort],
  nulls: nullableSortKeys.includes(sort) ? 'last' : 'none',
  order,
});

/**
 * Finds a listed site with its details; null for a site that is not on sale.
 * @param projectId the project to which the site may link already
 */
export async function findListedSite(id: number, projectId?: string): Promise<SiteDetail | null> {
  const found = await selectListedSite(id);
  if (!found) return null;
  const [[row = found], facts] = await Promise.all([markLinked([found], { projectId }), readFacts(found)]);
  return siteDetailView(row, facts);
}

/** Returns a listed site for the API, with its figures and its record. @throws AppError not_found unless it is on sale */
export async function getListedSite(id: number): Promise<z.output<typeof siteDetailResponse>> {
  const row = await selectListedSite(id);
  if (!row) throw await createUnlistedError(id);
  return { ...publicSiteView(row), ...(await readFacts(row)) };
}

async function createUnlistedError(id: number): Promise<AppError> {
  const pause = await findPause(id);
  if (!pause) return new AppError('not_found', `Site #${id} does not exist or is not on sale.`);
  const until = pause.until ? ` until ${pause.until.toISOString().slice(0, 10)}` : '';
  return new AppError('not_found', `Site #${id} is paused by its publisher${until} and is not on sale.`);
}

async function selectListedSite(id: number) {
  const [row] = await db()
    .select({
      ...listedColumns,
      samplePosts: sites.samplePosts,
      rules: sites.rules,
    })
    .from(sites)
    .where(and(isListed, eq(sites.id, id)));
  return row;
}

/** Reads what is known of a site beside its fields: the best figure of each metric, and the record of its orders. */
export const readFacts = async (site: { id: number }): Promise<Pick<SiteDetail, 'figures' | 'record'>> => ({
  figures: await listFigures(db(), site),
  record: await getListingRecord(site.id),
});

/** The number of sites that are compared, on each side of the price. */
const compared = 60;

/**
 * Lists the sites of the same niche and post type whose price and DR are nearest, the most similar first. Compares the
 * 60 next cheaper and the 60 next dearer ones, read along sites_listed_niche_idx, so the cost does not depend on the size
 * of the catalogue. Leaves out what the buyer blocks.
 */
export async function listSimilarSites(
  { id, niche, postType, usdCents, dr }: Pick<SiteDetail, 'id' | 'niche' | 'postType' | 'usdCents' | 'dr'>,
  { limit, accountId, projectId }: { limit: number; accountId: string; projectId: string | undefined },
): Promise<PublicSiteRow[]> {
  const price = sites.publicPriceUsdCents;
  const read = (side: SQL | undefined, direction: typeof asc) =>
    db()
      .select(listedColumns)
      .from(sites)
      .where(
        and(
          isListed,
          eq(sites.niche, niche),
          eq(sites.postType, postType),
          side,
          not(isBlocked({ accountId, projectId })),
        ),
      )
      .orderBy(direction(price), direction(sites.id))
      .limit(compared);
  const [cheaper, dearer] = await Promise.all([
    read(lt(price, usdCents), desc),
    read(and(gte(price, usdCents), ne(sites.id, id)), asc),
  ]);
  const distance = (row: PublicSiteRow) => {
    const ratio = Math.abs(Math.log((row.publicPriceUsdCents ?? 1) / Math.max(1, usdCents)));
    // Ten points of DR weigh as much as a price that is a third higher.
    return ratio / Math.log(4 / 3) + (row.dr === null || dr === null ? 3 : Math.abs(row.dr - dr) / 10);
  };
  return [...cheaper, ...dearer]
    .map((row) => ({ row, distance: distance(row) }))
    .filter((one) => one.distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance || one.row.id - other.row.id)
    .slice(0, limit)
    .map(({ row }) => row);
}

/** Beyond it a site is not similar: e.g. 40 points of DR at the same price, or the same DR at three times the price. */
const maxDistance = 4;

/** Lists those of the given sites that are listed and publish NoFollow links only. */
export async function listNofollowSites(ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db()
    .select({ id: sites.id })
    .from(sites)
    .where(and(isListed, inArray(sites.id, [...ids]), eq(sites.followType, 'NoFollow')));
  return new Set(rows.map(({ id }) => id));
}
