import { and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { auditSeals } from '../../db/schema/audit';
import { topups } from '../../db/schema/topups';
import type { Transaction } from '../../db/transaction';
import { AppError } from '../errors';
import type { Manifest, ManifestTable } from './manifest';
import { sumOfTable } from './table-sum';
import { type BackupTable, bookTables, fixTextForms, listBackupTables, schemaVersion } from './tables';

/**
 * What becomes of the ledger and the audit log, which are append-only.
 * - keep: the archive's ledger is this instance's own, and its audit log the beginning of ours: both stay.
 * - replace: this instance's ledger is empty; the archive's comes in.
 */
export type BookMode = 'keep' | 'replace';

export type RestorePlan = {
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
