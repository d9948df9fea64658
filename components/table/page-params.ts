import { oneParam, type SearchParams } from './url';

/** Names of the parameters a list keeps in its address. */
const pageParam = 'page';
export const rowsParam = 'rows';

export type PageParams = { page: number; rows: number; limit: number; offset: number };

/**
 * Reads ?page= (from 1) and ?rows= of a list's address. Anything not offered falls back, so that an address somebody
 * edited still shows a list.
 */
export function readPageParams(searchParams: SearchParams, sizes: readonly number[], defaultRows: number): PageParams {
  const asked = Number(oneParam(searchParams, rowsParam));
  const rows = sizes.includes(asked) ? asked : defaultRows;
  const wanted = Number(oneParam(searchParams, pageParam));
  const page = Number.isSafeInteger(wanted) && wanted >= 1 && wanted <= 100_000 ? wanted : 1;
  return { page, rows, limit: rows, offset: (page - 1) * rows };
}

export type SortOrder = 'asc' | 'desc';
export type Sort<Key extends string = string> = { key: Key; order: SortOrder };

/** Reads ?sort= and ?order=; only keys of the whitelist count. */
export function readSort<Key extends string>(
  searchParams: SearchParams,
  keys: readonly Key[],
  fallback: Sort<Key>,
): Sort<Key> {
  const key = keys.find((candidate) => candidate === oneParam(searchParams, 'sort'));
  if (!key) return fallback;
  return { key, order: oneParam(searchParams, 'order') === 'desc' ? 'desc' : 'asc' };
}
