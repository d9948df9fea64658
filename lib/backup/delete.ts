import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { backupKey } from '@/lib/platform/storage/storage-key';
import { backupStore } from '@/lib/platform/storage/store';
import { backupNotFoundError, isRunning } from './queries';
import type { BackupIdInput } from './schemas';

/**
 * Deletes an archive permanently.
 * @throws AppError not_found, conflict while the backup is running
 */
export async function deleteBackup(actor: AnyActor, { id }: BackupIdInput): Promise<void> {
  await db().transaction(async (tx) => {
    const moving = await tx.select({ id: backups.id }).from(backups).where(isRunning).limit(1);
    if (moving.some((row) => row.id === id)) {
      throw new AppError('conflict', 'This backup is still in progress. Wait until it is complete.');
    }
    const [row] = await tx.delete(backups).where(eq(backups.id, id)).returning();
    if (!row) throw backupNotFoundError();
    await recordAudit(tx, actor, {
      action: 'backup.deleted',
      details: `${actor.userId === null ? actor.name : actor.email} deleted the backup ${row.fileName}.`,
      entityType: 'backup',
      entityId: id,
      before: { fileName: row.fileName, sizeBytes: row.sizeBytes, sha256: row.sha256 },
    });
    // Inside the transaction, so that the row is kept if the store fails.
    await backupStore().delete(backupKey(id));
  });
}
