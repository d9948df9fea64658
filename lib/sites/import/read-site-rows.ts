import { readRecords } from './read-records';
import { type RowContext, readRow } from './read-row';
import type { RowProblem, SiteDraft } from './site-draft';
import { readText } from './text-encoding';

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
