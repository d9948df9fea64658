import { createReadStream } from 'node:fs';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { auditSeals } from '@/db/schema/audit';
import { topups } from '@/db/schema/topups';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import type { Manifest, ManifestTable } from './manifest';
import { withRestoreProgress } from './progress';
import { readArchive, withArchive } from './read-archive';
import type { BackupIdInput } from './schemas';
import {
  appendOnlyTables,
  type BackupTable,
  checksumTable,
  fixTextSettings,
  listBackupTables,
  schemaVersion,
} from './tables';

/** The effect of restoring an archive. */
export type RestoreReport = {
  /** The reason why the archive cannot be restored here, or null. */
  refusal: string | null;
  madeAt: string;
  madeBy: string;
  books: BookMode | null;
  /** Tables whose content would change, with their current and archived numbers of rows. */
  changes: { name: string; rowsNow: number; rowsThen: number }[];
  unchanged: number;
  /** The number of files in the archive, and of files that its database references but the archive does not contain. */
  files: number;
  missingFiles: number;
};

/** The share of the progress bar for reading the archive; the rest is for the comparison. */
const readingShare = 0.5;

/**
 * Reads and authenticates a whole archive and compares it with the current state. Read-only.
 * @throws AppError invalid_input for a damaged archive, not_found, conflict
 */
export async function checkBackup(_actor: Actor, { id }: BackupIdInput): Promise<RestoreReport> {
  return withArchive(id, ({ path, sizeBytes }) =>
    withRestoreProgress(id, async (report) => {
      const onProgress = (bytes: number) => report((bytes / sizeBytes) * readingShare);
      const manifest = await readArchive(createReadStream(path), { onProgress });
      return db().transaction(
        (tx) => createReport(tx, manifest, (share) => report(readingShare + share * (1 - readingShare))),
        { isolationLevel: 'repeatable read', accessMode: 'read only' },
      );
    }),
  );
}

async function createReport(
  tx: Transaction,
  manifest: Manifest,
  onProgress: (share: number) => void,
): Promise<RestoreReport> {
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
  const totalBytes = plan.tables.reduce((sum, { bytes }) => sum + bytes, 0);
  let comparedBytes = 0;
  for (const table of plan.tables) {
    onProgress(comparedBytes / Math.max(totalBytes, 1));
    comparedBytes += table.bytes;
    if (plan.books === 'keep' && appendOnlyTables.includes(table.name)) continue;
    const then = manifest.tables.find(({ name }) => name === table.name);
    const now = await checksumTable(tx, table);
    if (now.sha256 === then?.sha256) unchanged += 1;
    else changes.push({ name: table.name, rowsNow: now.rows, rowsThen: then?.rows ?? 0 });
  }
  return { ...facts, refusal: null, books: plan.books, changes, unchanged };
}

/**
 * How a restore treats the ledger and the audit log, which are append-only.
 * - keep: the archive has the same ledger and an earlier state of the same audit log; both are kept.
 * - replace: the ledger of this installation is empty; both are restored from the archive.
 */
type BookMode = 'keep' | 'replace';

type RestorePlan = {
  books: BookMode;
  tables: BackupTable[];
};

const emptyRow = z.tuple([z.object({ is_empty: z.boolean() })]);

/**
 * Determines how an archive can be restored here.
 * @throws AppError conflict with the reason: a different schema version, ledger entries that would be lost, or a pending
 * payment that would be lost
 */
export async function planRestore(tx: Transaction, manifest: Manifest): Promise<RestorePlan> {
  requireSameVersion(manifest.schema, await schemaVersion(tx));
  await fixTextSettings(tx);
  const tables = await listBackupTables(tx);
  if (!isSameShape(tables, manifest.tables)) {
    throw new AppError('conflict', 'The tables of this installation do not match the archive. Do not restore it here.');
  }
  if (await continuesAuditLog(tx, manifest)) {
    if (await isSameLedger(tx, tables, manifest)) {
      await requireNoNewTopup(tx, manifest);
      return { books: 'keep', tables };
    }
    throw new AppError(
      'conflict',
      'Money has moved since this backup was created. Restoring it would lose payments and orders, so it is refused. Restore it to a new installation instead.',
    );
  }
  const [{ is_empty: isEmpty }] = emptyRow.parse([
    ...(await tx.execute(sql`select not exists (select from ledger.transfers) as is_empty`)),
  ]);
  if (isEmpty) {
    await requireNoOpenTopup(tx);
    return { books: 'replace', tables };
  }
  throw new AppError(
    'conflict',
    'This installation has its own books, and the archive belongs to another installation. Restore it to a new installation instead.',
  );
}

/** Requires the same migrations, because rows are restored without conversion. */
function requireSameVersion(there: Manifest['schema'], here: Manifest['schema']): void {
  if (here.last === there.last) return;
  const counts = `(${there.migrations} migrations, this installation has ${here.migrations})`;
  if (there.migrations < here.migrations) {
    throw new AppError(
      'conflict',
      `This archive was created by an older version of the application ${counts}. Restore it to a new installation of that version, then update that installation.`,
    );
  }
  if (there.migrations > here.migrations) {
    throw new AppError(
      'conflict',
      `This archive was created by a newer version of the application ${counts}. Update this installation first, then restore.`,
    );
  }
  throw new AppError(
    'conflict',
    'This archive was created by another edition of the application, with different tables. Restore it there.',
  );
}

/**
 * Requires that no top-up was created since the backup. Restoring would delete it, and its payment could no longer be
 * matched. Top-ups are never deleted, so comparing the counts is sufficient.
 */
async function requireNoNewTopup(tx: Transaction, { tables }: Manifest): Promise<void> {
  const then = tables.find(({ name }) => name === 'public.topups')?.rows ?? 0;
  if ((await tx.$count(topups)) <= then) return;
  throw new AppError(
    'conflict',
    'A user started a top-up after this backup was created. Restoring it would lose the payment, so it is refused. Restore it to a new installation instead.',
  );
}

/** Requires that no top-up is open, for an installation without ledger entries. */
async function requireNoOpenTopup(tx: Transaction): Promise<void> {
  if ((await tx.$count(topups, inArray(topups.status, ['created', 'pending', 'review']))) === 0) return;
  throw new AppError(
    'conflict',
    'A user is adding money to this installation. Restoring would lose the payment, so it is refused. Restore to a new installation instead.',
  );
}

function isSameShape(tables: readonly BackupTable[], parts: readonly ManifestTable[]): boolean {
  const shape = (list: readonly { name: string; columns: string[] }[]) =>
    JSON.stringify(list.map(({ name, columns }) => [name, columns]));
  return shape(tables) === shape(parts);
}

/** Checks whether the archive's audit log is an earlier state of the current one. */
async function continuesAuditLog(tx: Transaction, { auditHead }: Manifest): Promise<boolean> {
  if (!auditHead) return false;
  const rows = await tx
    .select({ position: auditSeals.position })
    .from(auditSeals)
    .where(and(eq(auditSeals.position, auditHead.position), eq(auditSeals.hash, auditHead.hash)));
  return rows.length > 0;
}

/** Checks whether the ledger is unchanged since the backup. */
export async function isSameLedger(tx: Transaction, tables: readonly BackupTable[], { tables: parts }: Manifest) {
  for (const table of tables.filter(({ name }) => name.startsWith('ledger.') && appendOnlyTables.includes(name))) {
    const { sha256 } = await checksumTable(tx, table);
    if (sha256 !== parts.find(({ name }) => name === table.name)?.sha256) return false;
  }
  return true;
}
