import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { copyInto } from '../../../db/copy';
import type { Transaction } from '../../../db/transaction';
import { AppError } from '../../errors';
import { copiedColumns, copyLine, type RowProblem } from './copy-line';
import { cancelled } from './import-turn';
import { nicheKey } from './known-names';
import type { RowContext } from './read-row';
import { readSiteRows } from './rejected-rows';

const maxErrors = 100;
/** A file with more is one whose niche column holds something else; the list of niches is everybody's. */
const maxNewNiches = 1_000;

export type StagedRows = {
  /** Rows that are sites. */
  usable: number;
  /** Rows that are none. */
  skipped: number;
  /** The first 100 of those, with their reasons. */
  errors: RowProblem[];
  newNiches: string[];
};

/**
 * Reads a surveyed file into the temporary table `import_rows`, which goes with the transaction. Nobody else sees or
 * waits for anything yet; memory holds a piece of the file.
 * @param context its niches grow by those of the file
 * @throws AppError invalid_input when `signal` is aborted, or for more than 1,000 new niches
 */
export async function stageRows(
  tx: Transaction,
  path: string,
  context: RowContext,
  signal?: AbortSignal,
): Promise<StagedRows> {
  const staged: StagedRows = { usable: 0, skipped: 0, errors: [], newNiches: [] };
  // Made of the table itself, so that a column always has the table's type.
  await tx.execute(
    sql`create temporary table import_rows on commit drop as select ${sql.raw(copiedColumns.join(', '))} from sites limit 0`,
  );
  const lines = async function* () {
    for await (const rows of readSiteRows(path, context)) {
      let text = '';
      for (const row of rows) {
        if ('problem' in row) {
          staged.skipped += 1;
          if (staged.errors.length < maxErrors) staged.errors.push(row.problem);
          continue;
        }
        staged.usable += 1;
        noteNiche(row.site.niche, context.known.niches, staged.newNiches);
        text += copyLine(row.site);
      }
      if (text !== '') yield Buffer.from(text);
    }
  };
  await pipeline(
    Readable.from(lines(), { objectMode: true }),
    await copyInto(tx, 'import_rows', copiedColumns),
    ...(signal ? [{ signal }] : []),
  ).catch((thrown: unknown) => {
    throw signal?.aborted ? cancelled() : thrown;
  });
  return staged;
}

function noteNiche(niche: string, known: Map<string, string>, fresh: string[]): void {
  const key = nicheKey(niche);
  if (known.has(key)) return;
  known.set(key, niche);
  fresh.push(niche);
  if (fresh.length <= maxNewNiches) return;
  const message = `The file names more than ${maxNewNiches.toLocaleString('en-US')} new niches. Check its niche column.`;
  throw new AppError('invalid_input', message, { fields: { file: message } });
}

const counted = z.tuple([z.object({ count: z.number() })]);
const columns = sql.raw(copiedColumns.join(', '));

/**
 * Inserts the staged rows as sites of one owner, in the order of the file and in one statement. What the owner already
 * lists for that post type, or what stands earlier in the file, is left out (decision 16).
 * @returns how many were inserted
 */
export async function insertStaged(tx: Executor, ownerId: string): Promise<number> {
  const rows = await tx.execute(sql`
    with written as (
      insert into sites (owner_id, ${columns})
      select ${ownerId}::text, ${columns} from import_rows
      on conflict (owner_id, url_key, post_type) where deleted_at is null do nothing
      returning 1
    )
    select count(*)::integer as count from written`);
  return counted.parse([...rows])[0].count;
}

/** How many of the staged rows `insertStaged` would insert. */
export async function countStaged(tx: Executor, ownerId: string): Promise<number> {
  const rows = await tx.execute(sql`
    select count(*)::integer as count
    from (select distinct url_key, post_type from import_rows) as wanted
    where not exists (
      select from sites
      where owner_id = ${ownerId} and deleted_at is null
        and sites.url_key = wanted.url_key and sites.post_type = wanted.post_type
    )`);
  return counted.parse([...rows])[0].count;
}
