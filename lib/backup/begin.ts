import { sql } from 'drizzle-orm';
import { advisoryLock } from '../../db/advisory-locks';
import { db } from '../../db/client';
import { backups } from '../../db/schema/backups';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { newId } from '../ids';
import { isMoving } from './queries';
import type { MakeBackupInput } from './schemas';

/**
 * Notes that a backup is to be made; `runBackup` makes it.
 * @throws AppError conflict while another one is being made
 */
export async function beginBackup(actor: Actor, { withFiles }: MakeBackupInput): Promise<{ id: string }> {
  return db().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('backup')})`);
    const running = await tx.select({ id: backups.id }).from(backups).where(isMoving).limit(1);
    if (running.length > 0)
      throw new AppError('conflict', 'A backup is being made already. Wait until it is complete.');
    const id = newId();
    const minute = new Date().toISOString().slice(0, 16).replace('T', '-').replace(':', '');
    await tx.insert(backups).values({
      id,
      fileName: `linkmarket-backup-${minute}.lmbackup`,
      origin: 'made',
      withFiles,
      createdBy: actor.email,
    });
    await recordAudit(tx, actor, {
      action: 'backup.begun',
      details: `${actor.email} began a backup ${withFiles ? 'with' : 'without'} the delivered files.`,
      entityType: 'backup',
      entityId: id,
    });
    return { id };
  });
}
