import { Readable } from 'node:stream';
import { NextResponse } from 'next/server';
import { toWebStream } from './web-stream';

/**
 * A JSON array that is sent while it is made, word for word as if it had been made whole.
 * @param batches of rows, in their order
 * @param view what stands in the array for a row
 */
export function jsonArrayResponse<Row, View>(
  batches: AsyncIterable<readonly Row[]>,
  view: (row: Row) => View,
  headers: Record<string, string>,
): NextResponse<View[]> {
  const stream = Readable.from(pieces(batches, view), { objectMode: false });
  return new NextResponse(toWebStream(stream), { headers: { 'Content-Type': 'application/json', ...headers } });
}

async function* pieces<Row, View>(
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
