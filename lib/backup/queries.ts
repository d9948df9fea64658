import { and, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import type { Attachment } from '@/lib/platform/http/attachment-response';
import { backupKey } from '@/lib/platform/storage/storage-key';
import { backupStore } from '@/lib/platform/storage/store';

export type BackupRow = typeof backups.$inferSelect;

/** A running backup without progress for this long was interrupted. */
const stalledSeconds = 120;

export const isRunning = and(
  eq(backups.status, 'running'),
  gt(backups.updatedAt, sql`now() - make_interval(secs => ${stalledSeconds})`),
);

/** Lists up to 200 archives, newest first. `isCutOff`: the status is running, but the process was interrupted. */
export async function listBackups(): Promise<(BackupRow & { isCutOff: boolean })[]> {
  const rows = await db()
    .select({ backup: backups, isCutOff: sql<boolean>`${backups.status} = 'running' and not (${isRunning})` })
    .from(backups)
    .orderBy(desc(backups.createdAt), desc(backups.id))
    .limit(200);
  return rows.map(({ backup, isCutOff }) => ({ ...backup, isCutOff }));
}

/** Returns the running or the latest backup made by this installation; null if there is none. */
export async function getLatestBackup(): Promise<BackupRow | null> {
  const [row] = await db()
    .select()
    .from(backups)
    .where(ne(backups.origin, 'uploaded'))
    .orderBy(desc(backups.createdAt), desc(backups.id))
    .limit(1);
  return row ?? null;
}

/** Returns a complete backup. @throws AppError not_found, conflict for a backup that is not complete */
export async function requireCompleteBackup(id: string): Promise<BackupRow> {
  const [row] = await db().select().from(backups).where(eq(backups.id, id));
  if (!row) throw backupNotFoundError();
  if (row.status !== 'complete') throw new AppError('conflict', 'This backup is not complete.');
  return row;
}

/**
 * Opens an archive for download. The download is recorded in the audit log and reported to admins.
 * @throws AppError not_found, conflict for a backup that is not complete
 */
export async function openBackup(actor: Actor, id: string): Promise<Attachment> {
  const { fileName, sizeBytes } = await requireCompleteBackup(id);
  const stream = await backupStore().get(backupKey(id));
  const details = `${actor.email} downloaded the backup ${fileName}.`;
  await db().transaction(async (tx) => {
    await recordAudit(tx, actor, { action: 'backup.downloaded', details, entityType: 'backup', entityId: id });
    await queueAdminNotice(tx, actor, { subject: 'A backup was downloaded', text: details });
  });
  return { fileName, mediaType: 'application/octet-stream', sizeBytes: sizeBytes ?? 0, stream };
}

export function backupNotFoundError(): AppError {
  return new AppError('not_found', 'This backup does not exist or was deleted.');
}
