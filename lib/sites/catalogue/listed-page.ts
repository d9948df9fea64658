import { and, asc, desc, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import type { Reader } from '@/db/snapshot';
import type { SiteSortKey } from '../sort-keys';
import type { PublicSiteRow } from '../views';
import { countSites } from './count-listed';
import { siteCondition, siteOrder } from './filter-sql';
import { isListed } from './listed';
import type { SitesQuery } from './schemas';
import { encodeCursor, type SiteCursor } from './site-cursor';

export type ListedPage = {
  rows: PublicSiteRow[];
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
  const found = await readRanges(matches, getIndexRanges({ sort, order }, cursor), limit + 1, offset);
  const hasMore = found.length > limit;
  const rows = found.slice(0, limit);
  const isBack = cursor?.toward === 'previous';
  if (isBack) rows.reverse();
  const cursorAt = (row: PublicSiteRow | undefined, toward: 'next' | 'previous') =>
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

async function readRanges(
  matches: SQL | undefined,
  parts: readonly IndexRange[],
  limit: number,
  offset: number,
): Promise<PublicSiteRow[]> {
  const rows: PublicSiteRow[] = [];
  let skip = offset;
  for (const [index, part] of parts.entries()) {
    const where = and(matches, part.where);
    const found = await selectListed(where, part.orderBy)
      .limit(limit - rows.length)
      .offset(skip);
    rows.push(...found);
    if (rows.length === limit || index === parts.length - 1) break;
    // The offset ended inside this range, or continues into the next one.
    if (found.length > 0 || skip === 0) skip = 0;
    else skip -= (await countSites(where)).total;
  }
  return rows;
}

function getSortValue(row: PublicSiteRow, sort: ListOrder['sort']): string | number | null {
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
};

const columns: Record<Exclude<SiteSortKey, 'added'>, PgColumn> = {
  price: sites.publicPriceUsdCents,
  da: sites.da,
  dr: sites.dr,
  traffic: sites.traffic,
  name: sites.name,
};
/** Sort keys whose value may be unknown. Every listed site has a value for the others. */
const nullableSortKeys: readonly SiteSortKey[] = ['da', 'dr', 'traffic'];

/** A range of the sorted list that is read along one index. */
type IndexRange = { where: SQL | undefined; orderBy: SQL[] };

type ListOrder = { sort: SiteSortKey; order: 'asc' | 'desc' };

/**
 * Splits a sorted list into one or two ranges that are read in sequence: rows with a known value by value and id, then
 * rows with an unknown value by id, in both sort directions. Each range matches one of the catalogue's indexes
 * (db/schema/sites.ts), forwards or backwards, so reading stops at the end of the page. For the previous page, the ranges
 * and their orders are reversed; the caller reverses the resulting rows.
 */
export function getIndexRanges({ sort, order }: ListOrder, cursor: SiteCursor | undefined): IndexRange[] {
  const isBack = cursor?.toward === 'previous';
  const isDescending = (order === 'desc') !== isBack;
  const direction = isDescending ? desc : asc;
  if (sort === 'added') {
    const beyond = cursor && (isDescending ? sql`${sites.id} < ${cursor.id}` : sql`${sites.id} > ${cursor.id}`);
    return [{ where: beyond, orderBy: [direction(sites.id)] }];
  }
  const column = columns[sort];
  const beyond = cursor && afterCursor(column, cursor, isDescending);
  if (!nullableSortKeys.includes(sort)) return [{ where: beyond, orderBy: [direction(column), direction(sites.id)] }];

  // The order of the index or its reverse; the placement of nulls is irrelevant in a range that has none or only nulls.
  const orderBy = [isDescending ? sql`${column} desc nulls last` : sql`${column} asc nulls first`, direction(sites.id)];
  if (!cursor && isDescending) return [{ where: undefined, orderBy }];
  const known = { where: and(isNotNull(column), cursor && cursor.value !== null ? beyond : undefined), orderBy };
  const unknown = { where: and(isNull(column), cursor && cursor.value === null ? beyond : undefined), orderBy };
  if (isBack) return cursor.value === null ? [unknown, known] : [known];
  return cursor && cursor.value === null ? [unknown] : [known, unknown];
}

function afterCursor(column: PgColumn, { value, id }: SiteCursor, isDescending: boolean): SQL {
  const than = sql.raw(isDescending ? '<' : '>');
  return value === null ? sql`${sites.id} ${than} ${id}` : sql`(${column}, ${sites.id}) ${than} (${value}, ${id})`;
}
