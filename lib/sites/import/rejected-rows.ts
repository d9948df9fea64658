import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { csvLine } from '@/lib/platform/csv';
import { type CsvRecord, parseRecords, readText } from '@/lib/platform/parse-csv';
import { analyzeFile, type FileAnalysis } from './analyze-file';
import type { RowProblem, SiteDraft } from './copy-line';
import { type ImportUpload, receiveCsv } from './import-upload';
import { getRowContext, type RowContext } from './known-names';
import { parseRow } from './parse-row';

/**
 * Streams the rows that an import skips, as CSV: the file's header and the row's cells, followed by the row number, the
 * column and the reason. The corrected file can be imported as it is. Cells that begin with a formula are escaped.
 * @returns the CSV stream; the uploaded file is removed when the stream ends or is destroyed
 * @throws AppError as importSites does, before the first line
 */
export async function streamRejectedRows(
  actor: Actor,
  { file, name, audience, choices, signal }: ImportUpload,
): Promise<Readable> {
  return new Promise<Readable>((resolve, reject) => {
    receiveCsv(file, name, async ({ path }) => {
      const analysis = await analyzeFile(path, audience, choices ? { choices } : {});
      const context = await getRowContext(db(), analysis, { audience, userId: actor.userId });
      const lines = Readable.from(formatRejectedRows(path, context), { objectMode: false });
      const output = new PassThrough();
      resolve(output);
      // Later errors are passed to the reader of the stream.
      await pipeline(lines, output, ...(signal ? [{ signal }] : [])).catch((thrown: unknown) => {
        output.destroy(thrown instanceof Error ? thrown : undefined);
      });
    }).catch(reject);
  });
}

async function* formatRejectedRows(path: string, context: RowContext): AsyncGenerator<string> {
  const { headers } = context.analysis;
  yield formatRejectedHeader(headers);
  for await (const rows of readSiteRows(path, context)) {
    let text = '';
    for (const row of rows) {
      if (!('problem' in row)) continue;
      text += formatRejectedRow(headers, row);
    }
    if (text !== '') yield text;
  }
}

// The byte order mark marks the file as UTF-8 for spreadsheets.
export const formatRejectedHeader = (headers: readonly string[]) =>
  `\uFEFF${csvLine([...headers, 'Import row', 'Import column', 'Import reason'])}`;

export function formatRejectedRow(headers: readonly string[], { cells, problem }: RejectedRow): string {
  const own = headers.map((_, at) => (at === headers.length - 1 ? cells.slice(at).join(' ') : (cells[at] ?? '')));
  return csvLine([...own, problem.row, problem.column, problem.reason]);
}

export type RejectedRow = { problem: RowProblem; cells: readonly string[] };

/** A parsed row below the header: a site, or a problem with the row's cells. */
export type SiteRow = { site: SiteDraft } | RejectedRow;

/** Reads the rows of an analyzed file in batches and skips blank rows. */
export async function* readSiteRows(path: string, context: RowContext): AsyncGenerator<SiteRow[]> {
  for await (const records of readRows(path, context.analysis)) {
    yield records.map((record) => {
      const read = parseRow(record, context);
      return 'problem' in read ? { ...read, cells: record.cells } : read;
    });
  }
}

/** Reads the rows below the header of an analyzed file in batches, without blank ones. */
export async function* readRows(
  path: string,
  { encoding, delimiter, headerRow }: FileAnalysis,
): AsyncGenerator<CsvRecord[]> {
  for await (const records of parseRecords(readText(path, encoding), delimiter)) {
    yield records.filter(({ row, cells }) => row > headerRow && cells.some((cell) => cell.trim() !== ''));
  }
}
