import { and, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { db } from '@/db/client';
import { getIndexRanges, type ListOrder, readRanges } from '@/db/read-sorted-page';
import { sites, siteValue } from '@/db/schema/sites';
import type { Reader } from '@/db/snapshot';
import type { SiteSortKey } from '@/lib/sites/sort-keys';
import type { AdminSiteRow, PublicSiteRow } from '@/lib/sites/views';
import { countSites } from './count-listed';
import { siteCondition, siteOrder } from './filter-sql';
import { isListed } from './listed';
import type { SitesQuery } from './schemas';
import { encodeCursor } from './site-cursor';

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
export async function listListedPage(query: SitesQuery, also?: SQL): Promise<ListedPage> {
  const { sort = 'price', order = 'asc', limit, offset = 0, cursor } = query;
  const matches = and(isListed, siteCondition(query), also);
  if (limit === undefined) {
    const rows = await selectListed(matches, siteOrder(query)).offset(offset);
    return { rows, next: null, previous: null };
  }
  // Reads one row more than the limit to detect a further page.
  const isBack = cursor?.toward === 'previous';
  const found = await readRanges(
    getIndexRanges(toListOrder({ sort, order }), cursor, isBack),
    { limit: limit + 1, offset },
    (range) => selectListed(and(matches, range.where), [range.orderBy]).limit(range.limit).offset(range.offset),
    async (where) => (await countSites(and(matches, where))).total,
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
export const selectAllListed = (query: SitesQuery) => (on: Reader) =>
  selectListed(and(isListed, siteCondition(query)), siteOrder(query), on).offset(query.offset ?? 0);

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
};
/** Sort keys whose value may be unknown. Every listed site has a value for the others. */
const nullableSortKeys: readonly SiteSortKey[] = ['da', 'dr', 'traffic', 'value'];

/** The order of a list by the catalogue's indexes (db/schema/sites.ts). */
export const toListOrder = ({ sort, order }: { sort: SiteSortKey; order: 'asc' | 'desc' }): ListOrder => ({
  id: sites.id,
  value: columns[sort],
  nulls: nullableSortKeys.includes(sort) ? 'last' : 'none',
  order,
});
