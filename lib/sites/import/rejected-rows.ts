import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { db } from '../../../db/client';
import { csvLine } from '../../platform/csv';
import type { RowProblem, SiteDraft } from './copy-line';
import type { ImportUpload } from './import-upload';
import { readRowContext } from './known-names';
import { type RowContext, readRow } from './read-row';
import { receiveCsv } from './receive-csv';
import { surveyFile } from './survey';
import { readRecords, readText } from './text-encoding';

/**
 * Every row of a file that an import skips, as CSV: the row's own cells under the file's own header, and behind them
 * its number, the column and the reason. Mended, it can be uploaded as it is. No cell begins a formula (decision 18).
 * @returns the text, made while it is read; the uploaded file is removed at its end or when it is destroyed
 * @throws AppError as importSites does, before the first line
 */
export async function listRejectedRows({ file, name, audience, choices, signal }: ImportUpload): Promise<Readable> {
  return new Promise<Readable>((resolve, reject) => {
    receiveCsv(file, name, async ({ path }) => {
      const survey = await surveyFile(path, audience, choices ? { choices } : {});
      const lines = Readable.from(rejectedLines(path, await readRowContext(db(), survey, audience)), {
        objectMode: false,
      });
      const answer = new PassThrough();
      resolve(answer);
      // What breaks it off from here on is told to its reader.
      await pipeline(lines, answer, ...(signal ? [{ signal }] : [])).catch((thrown: unknown) => {
        answer.destroy(thrown instanceof Error ? thrown : undefined);
      });
    }).catch(reject);
  });
}

async function* rejectedLines(path: string, context: RowContext): AsyncGenerator<string> {
  const { headers } = context.survey;
  // The mark tells spreadsheets that this is UTF-8.
  yield `\uFEFF${csvLine([...headers, 'Import row', 'Import column', 'Import reason'])}`;
  for await (const rows of readSiteRows(path, context)) {
    let text = '';
    for (const row of rows) {
      if (!('problem' in row)) continue;
      const { problem, cells } = row;
      const own = headers.map((_, at) => (at === headers.length - 1 ? cells.slice(at).join(' ') : (cells[at] ?? '')));
      text += csvLine([...own, problem.row, problem.column, problem.reason]);
    }
    if (text !== '') yield text;
  }
}

/** A row below the header: the site it makes, or what is wrong with it and the cells it holds. */
export type SiteRow = { site: SiteDraft } | { problem: RowProblem; cells: string[] };

/** Reads the rows of a surveyed file, a piece of the file at a time; blank rows are passed over. */
export async function* readSiteRows(path: string, context: RowContext): AsyncGenerator<SiteRow[]> {
  const { encoding, delimiter, headerRow } = context.survey;
  for await (const records of readRecords(readText(path, encoding), delimiter)) {
    yield records
      .filter(({ row, cells }) => row > headerRow && cells.some((cell) => cell.trim() !== ''))
      .map((record) => {
        const read = readRow(record, context);
        return 'problem' in read ? { ...read, cells: record.cells } : read;
      });
  }
}
