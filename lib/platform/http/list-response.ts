import { NextResponse } from 'next/server';
import { db, type Executor } from '@/db/client';
import type { CappedCount } from '@/db/count-up-to';
import type { Reader, RowQuery } from '@/db/snapshot';
import { unpaginatedLists } from '@/lib/platform/rate-limits/limits';

import { type ListCaller, streamResponse } from './stream-response';

type List<Row, View> = {
  caller: ListCaller;
  /** Builds the list's query: ordered, without a limit. */
  rows: (on: Reader) => RowQuery<Row> & { limit(count: number): PromiseLike<Row[]> };
  /** Adds to rows what another query reads. */
  complete?: ((rows: readonly Row[]) => Promise<readonly Row[]>) | undefined;
  /** Maps a row to an item of the response. */
  view: (row: Row) => View;
  /** Counts the rows of all pages, for X-Total-Count. */
  count?: (on: Executor) => Promise<CappedCount>;
};

/**
 * Answers a list as a JSON array: one page, or without a limit the whole list. A short list is read at once, a long one
 * is streamed.
 * @throws AppError rate_limited
 */
export async function listResponse<Row, View>(
  list: List<Row, View> & { limit: number | undefined },
): Promise<NextResponse<View[]>> {
  const { rows, view, count, limit, complete } = list;
  const [found, total] = await Promise.all([rows(db()).limit(limit ?? unpaginatedLists.shortRows + 1), count?.(db())]);
  if (limit === undefined && found.length > unpaginatedLists.shortRows) return longListResponse(list);
  const completed = complete ? await complete(found) : found;
  return NextResponse.json(completed.map(view), { headers: total === undefined ? {} : totalHeader(total) });
}

/**
 * Streams a list with constant memory (stream-response.ts). The number of concurrent streams is limited.
 * @throws AppError rate_limited
 */
export function longListResponse<Row, View>(
  { caller, rows, view, count, complete }: List<Row, View>,
  headers: Record<string, string> = {},
): Promise<NextResponse<View[]>> {
  return streamResponse(caller, async ({ on, read }) => ({
    headers: { 'Content-Type': 'application/json', ...headers, ...(count && totalHeader(await count(on))) },
    pieces: jsonArray(complete ? completeBatches(read(rows), complete) : read(rows), view),
  }));
}

async function* completeBatches<Row>(
  batches: AsyncIterable<readonly Row[]>,
  complete: NonNullable<List<Row, unknown>['complete']>,
): AsyncGenerator<readonly Row[]> {
  for await (const rows of batches) yield await complete(rows);
}

/** A page of a list, with the totals that its query returned. */
type Totals = { total: number; isCapped?: boolean; next?: string | null };
type Page<Row> = Totals & { rows: readonly Row[] };

/** Answers a page as a JSON array, with the headers that `cursorHeaders` or `totalCount` declares. */
export const pageResponse = <Row, View>({ rows, ...totals }: Page<Row>, view: (row: Row) => View) =>
  NextResponse.json(rows.map(view), { headers: pageHeaders(totals) });

/** Answers a page as an object that has the items under a name, beside the total and the limits of the request. */
export const namedPageResponse = <Items extends object>(
  items: Items,
  totals: Totals,
  { limit, offset }: { limit: number; offset: number },
) => NextResponse.json({ ...items, total: totals.total, limit, offset }, { headers: pageHeaders(totals) });

/** Generates a JSON array in chunks, byte for byte equal to JSON.stringify of the whole array. */
export async function* jsonArray<Row, View>(
  batches: AsyncIterable<readonly Row[]>,
  view: (row: Row) => View,
): AsyncGenerator<string> {
  let before = '[';
  for await (const rows of batches) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(view(row))).join(',');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** The declaration of the headers of lists, for `route()`. */
export const totalCount = {
  'X-Total-Count': 'The number of items over all pages, counted up to a limit.',
  'X-Total-Capped': 'true if there are more than X-Total-Count.',
};
/** The declaration of the headers of lists with cursors. */
export const cursorHeaders = {
  ...totalCount,
  'X-Next-Cursor': 'The `cursor` of the next page; omitted on the last one.',
};

/** Builds the headers that `totalCount` declares. */
export const totalHeader = ({ total, isCapped }: Pick<Totals, 'total' | 'isCapped'>): Record<string, string> => ({
  'X-Total-Count': String(total),
  ...(isCapped && { 'X-Total-Capped': 'true' }),
});

/** Builds the headers that `cursorHeaders` declares. */
const pageHeaders = ({ next, ...counted }: Totals): Record<string, string> => ({
  ...totalHeader(counted),
  ...(next && { 'X-Next-Cursor': next }),
});
