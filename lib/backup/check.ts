import { createReadStream } from 'node:fs';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { extendStatementTimeout } from '../../db/extend-statement-timeout';
import { auditSeals } from '../../db/schema/audit';
import { topups } from '../../db/schema/topups';
import type { Transaction } from '../../db/transaction';
import type { Actor } from '../access/actor';
import { AppError } from '../errors';
import type { Manifest, ManifestTable } from './manifest';
import { readArchive, withArchive } from './read-archive';
import type { BackupIdInput } from './schemas';
import { type BackupTable, bookTables, fixTextForms, listBackupTables, schemaVersion, sumOfTable } from './tables';

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
  await extendStatementTimeout(tx);
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

/**
 * What becomes of the ledger and the audit log, which are append-only.
 * - keep: the archive's ledger is this instance's own, and its audit log the beginning of ours: both stay.
 * - replace: this instance's ledger is empty; the archive's comes in.
 */
type BookMode = 'keep' | 'replace';

type RestorePlan = {
  books: BookMode;
  tables: BackupTable[];
};

const empty = z.tuple([z.object({ is_empty: z.boolean() })]);

/**
 * Decides how an archive can be restored here.
 * @throws AppError conflict that says why it cannot: another version, books that would be lost, or a payment on its
 * way that would be
 */
export async function planRestore(tx: Transaction, manifest: Manifest): Promise<RestorePlan> {
  requireSameVersion(manifest.schema, await schemaVersion(tx));
  await fixTextForms(tx);
  const tables = await listBackupTables(tx);
  if (!isSameShape(tables, manifest.tables)) {
    throw new AppError(
      'conflict',
      'The tables of this installation are not those of the archive. Restore nothing here.',
    );
  }
  if (await isOwnLog(tx, manifest)) {
    if (await isSameLedger(tx, tables, manifest)) {
      await requireNoNewTopup(tx, manifest);
      return { books: 'keep', tables };
    }
    throw new AppError(
      'conflict',
      'Money has moved here since this backup was made. Restoring it would lose payments and orders, so it is refused. Restore it into a fresh installation instead.',
    );
  }
  const [{ is_empty: isEmpty }] = empty.parse([
    ...(await tx.execute(sql`select not exists (select from ledger.transfers) as is_empty`)),
  ]);
  if (isEmpty) {
    await requireNoOpenTopup(tx);
    return { books: 'replace', tables };
  }
  throw new AppError(
    'conflict',
    'This installation has books of its own, and the archive is of another one. Restore it into a fresh installation instead.',
  );
}

/** Rows are taken as they are written: only the migrations they were written by know what they mean. */
function requireSameVersion(there: Manifest['schema'], here: Manifest['schema']): void {
  if (here.last === there.last) return;
  const counts = `(${there.migrations} migrations, here are ${here.migrations})`;
  if (there.migrations < here.migrations) {
    throw new AppError(
      'conflict',
      `This archive was made by an older version of the application ${counts}. Restore it into a fresh installation of that version, then update that.`,
    );
  }
  if (there.migrations > here.migrations) {
    throw new AppError(
      'conflict',
      `This archive was made by a newer version of the application ${counts}. Update this installation first, then restore.`,
    );
  }
  throw new AppError(
    'conflict',
    'This archive was made by another edition of the application, whose tables are not those here. Restore it there.',
  );
}

/**
 * Whoever pays in for a top-up that is not in the archive would pay for nothing: the provider tells of a payment that
 * nobody knows. None is ever deleted, so the archive's are the first ones of ours.
 */
async function requireNoNewTopup(tx: Transaction, { tables }: Manifest): Promise<void> {
  const then = tables.find(({ name }) => name === 'public.topups')?.rows ?? 0;
  if ((await tx.$count(topups)) <= then) return;
  throw new AppError(
    'conflict',
    'Somebody began to add money since this backup was made. Restoring it would lose their payment, so it is refused. Restore it into a fresh installation instead.',
  );
}

/** The same for an installation that is about to receive its first payment. */
async function requireNoOpenTopup(tx: Transaction): Promise<void> {
  if ((await tx.$count(topups, inArray(topups.status, ['created', 'pending', 'review']))) === 0) return;
  throw new AppError(
    'conflict',
    'Somebody is adding money to this installation. Restoring would lose their payment, so it is refused. Restore into a fresh installation instead.',
  );
}

function isSameShape(tables: readonly BackupTable[], parts: readonly ManifestTable[]): boolean {
  const shape = (list: readonly { name: string; columns: string[] }[]) =>
    JSON.stringify(list.map(({ name, columns }) => [name, columns]));
  return shape(tables) === shape(parts);
}

/** Does our audit log go on from where the archive's stood? */
async function isOwnLog(tx: Transaction, { auditHead }: Manifest): Promise<boolean> {
  if (!auditHead) return false;
  const rows = await tx
    .select({ position: auditSeals.position })
    .from(auditSeals)
    .where(and(eq(auditSeals.position, auditHead.position), eq(auditSeals.hash, auditHead.hash)));
  return rows.length > 0;
}

/** Not a cent has moved since. */
export async function isSameLedger(tx: Transaction, tables: readonly BackupTable[], { tables: parts }: Manifest) {
  for (const table of tables.filter(({ name }) => name.startsWith('ledger.') && bookTables.includes(name))) {
    const { sha256 } = await sumOfTable(tx, table);
    if (sha256 !== parts.find(({ name }) => name === table.name)?.sha256) return false;
  }
  return true;
}
