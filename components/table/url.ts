import { type IdCursor, type PageRequest, parseIdCursor } from '@/lib/id-cursor';

/** The awaited `searchParams` of a Next.js page. */
export type SearchParams = Record<string, string | string[] | undefined>;

/** Null, undefined, '' and an empty list remove a parameter; a list repeats it. */
export type ParamChanges = Record<string, string | number | readonly string[] | null | undefined>;

/**
 * The list that opens with the filters, the order and the project that were last chosen (normalizeView in
 * lib/sites/preferences/schemas.ts). Where the last of these is removed, its URL has the default order, as a URL without
 * parameters would restore them.
 */
const rememberedList = '/user/marketplace';
const choice =
  /^(min|max)[A-Z]|^(projectId|postType|sort|order|niche|country|language|followType|measured|owner|hideLinked|blocked)$/;
const hasChoice = (params: URLSearchParams) => [...params.keys()].some((name) => choice.test(name));

/** Returns the URL of the same list with some parameters changed. The others stay, in their order. */
export function withParams(
  pathname: string,
  searchParams: SearchParams | URLSearchParams,
  changes: ParamChanges,
): string {
  const next = searchParams instanceof URLSearchParams ? new URLSearchParams(searchParams) : fromRecord(searchParams);
  const wasChosen = pathname === rememberedList && hasChoice(next);
  for (const [name, value] of Object.entries(changes)) {
    if (typeof value === 'object' && value !== null) {
      next.delete(name);
      for (const item of value) next.append(name, item);
    } else if (value === null || value === undefined || value === '') next.delete(name);
    else next.set(name, String(value));
  }
  if (wasChosen && !hasChoice(next)) next.set('sort', 'price');
  const query = next.toString();
  return query ? `${pathname}?${query}` : pathname;
}

function fromRecord(params: SearchParams): URLSearchParams {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) next.append(name, item);
  }
  return next;
}

/**
 * Returns the first value of a parameter that may be repeated; '' when it is absent. Removes NUL, which PostgreSQL does
 * not accept in text.
 */
export function oneParam(searchParams: SearchParams, name: string): string {
  return allParams(searchParams, name)[0] ?? '';
}

/** Returns the values of a parameter that may be repeated, without NUL. */
export function allParams(searchParams: SearchParams, name: string): string[] {
  return [searchParams[name] ?? []].flat().map((value) => value.replaceAll('\u0000', ''));
}

/** The maximum length of a search text. */
const maxLength = 200;

/** Reads the values of a list's filters, cut to the length of a search text; undefined for an absent one. */
export function readFilters<Name extends string>(
  searchParams: SearchParams,
  names: readonly Name[],
): Record<Name, string | undefined>;
export function readFilters(searchParams: SearchParams, names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [name, oneParam(searchParams, name).trim().slice(0, maxLength) || undefined]),
  );
}

/** The URL parameters of a list's paging and sorting. */
const pageParam = 'page';
const cursorParam = 'cursor';
/** Changes of a URL that lead to the first page. */
export const firstPage = { [pageParam]: null, [cursorParam]: null };
export const rowsParam = 'rows';

export type PageParams = {
  /** From 1; negative numbers count from the end, for a list that `readsFromEnd`. */
  page: number;
  rows: number;
  limit: number;
  offset: number;
  /** The page sizes that the list offers, and the one without a parameter. */
  sizes: readonly number[];
  defaultRows: number;
  /** Whether the list accepts the cursor `last`. */
  readsFromEnd?: boolean;
  /** The name of the paging, where a screen has two of them. */
  label?: string;
  /** The id of the element to which a new page scrolls, for the second list of a screen. */
  fragment?: string;
};

/**
 * Parses ?page= (from 1) and ?rows= of a list's URL. Invalid values fall back to the defaults, so that an edited URL
 * still shows a list.
 */
export function readPageParams(
  searchParams: SearchParams,
  sizes: readonly number[] = [25, 50, 100],
  defaultRows = 25,
): PageParams {
  const requestedRows = Number(oneParam(searchParams, rowsParam));
  const rows = sizes.includes(requestedRows) ? requestedRows : defaultRows;
  const requestedPage = Number(oneParam(searchParams, pageParam));
  const page =
    Number.isSafeInteger(requestedPage) && requestedPage >= 1 && requestedPage <= 100_000 ? requestedPage : 1;
  return { page, rows, limit: rows, offset: (page - 1) * rows, sizes, defaultRows };
}

/** The paging of a list ordered by id, whose pages far from the first have a cursor. */
export type IdPageParams = PageParams & {
  cursor: IdCursor | undefined;
  /** What the list's query requires of it. */
  request: PageRequest & { offset: number };
};

/** Without a cursor, no page begins after this offset; a URL with a higher number leads to the last page. */
const maxOffset = 10_000;

/** Parses the paging of a list ordered by id. Negative page numbers count from the end of the list. */
export function readIdPageParams(
  searchParams: SearchParams,
  sizes?: readonly number[],
  defaultRows?: number,
): IdPageParams {
  const page = readPageParams(searchParams, sizes, defaultRows);
  const cursor = parseIdCursor(oneParam(searchParams, cursorParam)) ?? undefined;
  const fromEnd = Number(oneParam(searchParams, pageParam));
  const withRequest = (place: Partial<PageParams>, by: IdCursor | undefined): IdPageParams => {
    const found = { ...page, ...place, readsFromEnd: true, cursor: by };
    return { ...found, request: { limit: found.limit, offset: found.offset, cursor: by } };
  };
  if (cursor && Number.isSafeInteger(fromEnd) && fromEnd < 0) return withRequest({ page: fromEnd }, cursor);
  if (!cursor && page.offset > maxOffset) return withRequest({ page: -1, offset: 0 }, { toward: 'last' });
  return withRequest({}, cursor);
}

export type SortOrder = 'asc' | 'desc';
export type Sort<Key extends string = string> = { key: Key; order: SortOrder };

/** Parses ?sort= and ?order=; ignores keys outside the whitelist. */
export function readSort<Key extends string>(
  searchParams: SearchParams,
  keys: readonly Key[],
  fallback: Sort<Key>,
): Sort<Key> {
  const key = keys.find((candidate) => candidate === oneParam(searchParams, 'sort'));
  if (!key) return fallback;
  return { key, order: oneParam(searchParams, 'order') === 'desc' ? 'desc' : 'asc' };
}
