import { searchWords } from './filter-sql';
import type { SitesQuery } from './schemas';
import { writeCursor } from './site-cursor';

/**
 * One text for all ways of asking for the same sites in the same order: blank parameters, defaults spelt out, letters
 * of another case in a search and the sequence of ids or parameters make no difference.
 */
export function pageKey(query: SitesQuery): string {
  const { sort = 'price', order = 'asc', limit, offset = 0, cursor } = query;
  return `${filterKey(query)} ${JSON.stringify([sort, order, limit ?? null, offset, cursor ? writeCursor(cursor) : null])}`;
}

/** The same for what is counted: order and page do not matter. */
export function filterKey(query: SitesQuery): string {
  const { q, ids, sort, order, limit, offset, cursor, total, ...filters } = query;
  return JSON.stringify([
    searchWords(q)
      .map((word) => word.toLowerCase())
      .sort(),
    ids?.toSorted((one, other) => one - other) ?? null,
    ...Object.entries(filters)
      .filter(([, value]) => value !== undefined && value !== '')
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}
