import { Readable } from 'node:stream';
import { toWebStream } from './web-stream';

/** A CSV file as addresses declare it. */
export const csvFile = { mediaTypes: ['text/csv'] };

/**
 * A CSV file that is sent while it is made, named after what it lists and the day, e.g. "sites-2026-11-21.csv".
 * @param list letters, digits and - only
 */
export function csvResponse(list: string, pieces: AsyncIterable<string>): Response {
  const day = new Date().toISOString().slice(0, 10);
  return new Response(toWebStream(Readable.from(pieces, { objectMode: false })), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${list}-${day}.csv"`,
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
