import { and, type SQL } from 'drizzle-orm';
import { db } from '../../db/client';
import { sites } from '../../db/schema/sites';
import type { Reader } from '../../db/snapshot';
import { countSites } from './count-sites';
import { siteCondition, siteOrder } from './filter-sql';
import { type ListOrder, type ListPart, listParts } from './list-order';
import { isListed } from './listed';
import { listedColumns } from './listed-columns';
import type { SitesQuery } from './schemas';
import { writeCursor } from './site-cursor';
import type { PublicSiteRow } from './views';

export type ListedPage = {
  rows: PublicSiteRow[];
  /** Cursors of the pages beside this one; null where there is none. */
  next: string | null;
  previous: string | null;
};

/**
 * A page of the catalogue as buyers see it: approved, priced sites that match. By offset it costs what lies before the
 * page; by cursor only the page. Without a limit it is the whole list.
 * @param also a further condition, of one person's list: it has no place in the memory that all share
 */
export async function listListedPage(query: SitesQuery, also?: SQL): Promise<ListedPage> {
  const { sort = 'price', order = 'asc', limit, offset = 0, cursor } = query;
  const matches = and(isListed, siteCondition(query), also);
  if (limit === undefined) {
    const rows = await select(matches, siteOrder(query)).offset(offset);
    return { rows, next: null, previous: null };
  }
  // One more than asked for tells whether the list goes on.
  const found = await readParts(matches, listParts({ sort, order }, cursor), limit + 1, offset);
  const goesOn = found.length > limit;
  const rows = found.slice(0, limit);
  const isBack = cursor?.toward === 'previous';
  if (isBack) rows.reverse();
  const cursorAt = (row: PublicSiteRow | undefined, toward: 'next' | 'previous') =>
    row ? writeCursor({ toward, sort, order, value: sortValue(row, sort), id: row.id }) : null;
  return {
    rows,
    next: isBack || goesOn ? cursorAt(rows.at(-1), 'next') : null,
    previous: (isBack ? goesOn : cursor !== undefined || offset > 0) ? cursorAt(rows[0], 'previous') : null,
  };
}

/** The query of the whole list, from its offset on. */
export const wholeList = (query: SitesQuery) => (on: Reader) =>
  select(and(isListed, siteCondition(query)), siteOrder(query), on).offset(query.offset ?? 0);

function select(where: SQL | undefined, orderBy: SQL[], on: Reader = db()) {
  return on
    .select(listedColumns)
    .from(sites)
    .where(where)
    .orderBy(...orderBy);
}

async function readParts(
  matches: SQL | undefined,
  parts: readonly ListPart[],
  limit: number,
  offset: number,
): Promise<PublicSiteRow[]> {
  const rows: PublicSiteRow[] = [];
  let skip = offset;
  for (const [index, part] of parts.entries()) {
    const where = and(matches, part.where);
    const found = await select(where, part.orderBy)
      .limit(limit - rows.length)
      .offset(skip);
    rows.push(...found);
    if (rows.length === limit || index === parts.length - 1) break;
    // The offset lay inside this part, or goes beyond it into the next one.
    if (found.length > 0 || skip === 0) skip = 0;
    else skip -= (await countSites(where)).total;
  }
  return rows;
}

function sortValue(row: PublicSiteRow, sort: ListOrder['sort']): string | number | null {
  if (sort === 'added') return row.id;
  return sort === 'price' ? row.publicPriceUsdCents : row[sort];
}
