import { createReadStream } from 'node:fs';
import { db } from '../../db/client';
import { letTakeLong } from '../../db/let-take-long';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import type { Manifest } from './manifest';
import { type BookMode, planRestore } from './plan';
import { readArchive } from './read-archive';
import type { BackupIdInput } from './schemas';
import { sumOfTable } from './table-sum';
import { bookTables } from './tables';
import { withArchive } from './with-archive';

/** What restoring an archive would do. */
export type RestoreReport = {
  /** Why it cannot be restored here; null when it can. */
  refusal: string | null;
  madeAt: string;
  madeBy: string;
  books: BookMode | null;
  /** Tables whose content would change, by name, with their rows now and then. */
  changes: { name: string; rowsNow: number; rowsThen: number }[];
  unchanged: number;
  /** Delivered files in the archive, and those that the database names and it does not hold. */
  files: number;
  missingFiles: number;
};

/**
 * Reads an archive to its last byte, authenticates it, and compares it with what is here. Changes nothing.
 * @throws AppError invalid_input for a damaged archive, not_found, conflict
 */
export async function checkBackup(_actor: Actor, { id }: BackupIdInput): Promise<RestoreReport> {
  return withArchive(id, async ({ path }) => {
    const manifest = await readArchive(createReadStream(path));
    return db().transaction((tx) => compare(tx, manifest), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    });
  });
}

async function compare(tx: Parameters<typeof planRestore>[0], manifest: Manifest): Promise<RestoreReport> {
  await letTakeLong(tx);
  const { madeAt, madeBy, files, missingFiles } = manifest;
  const facts = { madeAt, madeBy, files: files.count, missingFiles };
  const plan = await planRestore(tx, manifest).catch((thrown: unknown) => {
    if (thrown instanceof AppError && thrown.code === 'conflict') return thrown;
    throw thrown;
  });
  if (plan instanceof AppError) return { ...facts, refusal: plan.message, books: null, changes: [], unchanged: 0 };
  const changes: RestoreReport['changes'] = [];
  let unchanged = 0;
  for (const table of plan.tables) {
    if (plan.books === 'keep' && bookTables.includes(table.name)) continue;
    const then = manifest.tables.find(({ name }) => name === table.name);
    const now = await sumOfTable(tx, table);
    if (now.sha256 === then?.sha256) unchanged += 1;
    else changes.push({ name: table.name, rowsNow: now.rows, rowsThen: then?.rows ?? 0 });
  }
  return { ...facts, refusal: null, books: plan.books, changes, unchanged };
}
