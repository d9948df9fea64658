import type { Executor } from '../../../db/client';
import { AppError } from '../../errors';
import { nicheKey } from './known-names';
import { readRecords } from './read-records';
import { type RowContext, readRow } from './read-row';
import type { RowProblem, SiteDraft } from './site-draft';
import { readText } from './text-encoding';
import { writeBatch } from './write-batch';

/** Rows of one insert: larger ones gain nothing and keep the process busy for longer at a time. */
const batchSize = 1_000;
const maxErrors = 100;
/** A file with more is one whose niche column holds something else; the list of niches is everybody's. */
const maxNewNiches = 1_000;

export type WrittenRows = {
  inserted: number;
  /** Already listed by this owner for that post type, or a second time in the file. */
  duplicates: number;
  /** Rows that cannot be used. */
  skipped: number;
  /** The first 100 of them, with their reasons. */
  errors: RowProblem[];
  newNiches: string[];
};

/**
 * Reads a surveyed file and inserts its sites batch by batch; between two batches other requests have their turn.
 * @param context its niches grow by those of the file
 * @throws AppError invalid_input when `signal` is aborted, or for more than 1,000 new niches
 */
export async function writeRows(
  tx: Executor,
  ownerId: string,
  path: string,
  context: RowContext,
  signal?: AbortSignal,
): Promise<WrittenRows> {
  const { survey, known } = context;
  const sum: WrittenRows = { inserted: 0, duplicates: 0, skipped: 0, errors: [], newNiches: [] };
  let batch: SiteDraft[] = [];
  const write = async () => {
    if (signal?.aborted) throw new AppError('invalid_input', 'The upload was cancelled; nothing was imported.');
    const inserted = await writeBatch(tx, ownerId, batch);
    sum.inserted += inserted;
    sum.duplicates += batch.length - inserted;
    batch = [];
  };
  for await (const records of readRecords(readText(path, survey.encoding), survey.delimiter)) {
    for (const record of records) {
      if (record.row <= survey.headerRow || record.cells.every((cell) => cell.trim() === '')) continue;
      const read = readRow(record, context);
      if ('problem' in read) {
        sum.skipped += 1;
        if (sum.errors.length < maxErrors) sum.errors.push(read.problem);
        continue;
      }
      noteNiche(read.site.niche, known.niches, sum.newNiches);
      batch.push(read.site);
      if (batch.length === batchSize) await write();
    }
  }
  await write();
  return sum;
}

function noteNiche(niche: string, known: Map<string, string>, fresh: string[]): void {
  if (known.has(nicheKey(niche))) return;
  known.set(nicheKey(niche), niche);
  fresh.push(niche);
  if (fresh.length <= maxNewNiches) return;
  const message = `The file names more than ${maxNewNiches.toLocaleString('en-US')} new niches. Check its niche column.`;
  throw new AppError('invalid_input', message, { fields: { file: message } });
}
