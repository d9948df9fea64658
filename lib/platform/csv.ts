import type { Reader } from '../../db/snapshot';
import { streamResponse } from './http/stream-response';

/** A line of CSV (RFC 4180) as spreadsheets open it without harm. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** One cell; an apostrophe goes before what a spreadsheet would run as a formula (decision 18), in wide letters as well. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^\s*[=+\-@＝＋－＠\t\r\n|%]/.test(value) ? `'${value}` : String(value);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A CSV file as addresses declare it. */
export const csvFile = { mediaTypes: ['text/csv'] };

/**
 * A CSV file that is sent while it is made, named after what it lists and the day, e.g. "sites-2026-11-21.csv".
 * @param list letters, digits and - only
 * @param pieces makes the file out of one snapshot of the database
 * @throws AppError rate_limited while several lists are being sent
 */
export function csvResponse(
  caller: { userId: string; requestId: string },
  list: string,
  pieces: (on: Reader) => AsyncGenerator<string>,
): Promise<Response> {
  const day = new Date().toISOString().slice(0, 10);
  return streamResponse(caller, async ({ on }) => ({
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${list}-${day}.csv"`,
      'X-Content-Type-Options': 'nosniff',
    },
    pieces: pieces(on),
  }));
}
