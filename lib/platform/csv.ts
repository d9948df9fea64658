import type { Database } from '@/db/client';
import { type ListCaller, streamResponse } from './http/stream-response';

/** Formats a line of CSV (RFC 4180), safe to open in spreadsheets. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

const formula = /^\s*[=+\-@＝＋－＠\t\r\n|%]/;
/** Matches the apostrophe before a formula. */
export const formulaEscape = /^'(?=\s*[=+\-@＝＋－＠\t\r\n|%])/;

/** A negative amount, which spreadsheets read as the number that it is. */
const negativeNumber = /^-\d+(\.\d+)?$/;

/** Puts an apostrophe before a text that a spreadsheet would run as a formula, also in full-width characters. */
export const escapeFormula = (text: string): string =>
  formula.test(text) && !negativeNumber.test(text) ? `'${text}` : text;

/** Formats one cell. Texts that a spreadsheet would run as a formula are escaped. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? escapeFormula(value) : String(value);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type CsvColumn<Row> = readonly [header: string, cell: (row: Row) => string | number | null];

/** Generates a CSV file in batches. The byte order mark makes spreadsheets read it as UTF-8. */
export async function* generateCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(columns.map(([header]) => header))}`;
  for await (const rows of batches) yield rows.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join('');
}

/** The response declaration of a CSV file. */
export const csvFile = { mediaTypes: ['text/csv'] };

/**
 * Streams a CSV file named after the list and the date, e.g. "sites-2026-11-21.csv".
 * @param list the first part of the file name: letters, digits and - only
 * @param pieces generates the file from one snapshot of the database
 * @throws AppError rate_limited when too many lists are being sent
 */
export function csvResponse(
  caller: ListCaller,
  list: string,
  pieces: (on: Database) => AsyncGenerator<string>,
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
