import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { and, eq, gte, sql } from 'drizzle-orm';
import { advisoryLock } from '@/db/advisory-locks';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import { type AnyActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { sealAuditLogs } from '@/lib/audit/seal';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { queueAdminAlert } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { log } from '@/lib/platform/log/log';
import { isStorageFull } from '@/lib/platform/storage/local-store';
import { backupKey } from '@/lib/platform/storage/storage-key';
import { backupStore } from '@/lib/platform/storage/store';
import { createProgressReporter } from './progress';
import { isRunning } from './queries';
import type { CreateBackupInput } from './schemas';
import { writeArchive } from './write-archive';

/** The share of the progress bar for writing the archive; the rest is for storing it. */
const archiveShare = 0.95;

/**
 * Creates the archive of a backup: first as a temporary file, because the store requires its length and checksum, then in
 * the store. A failure is recorded with the backup and logged, and leaves no files.
 * @returns whether the backup is complete
 */
export async function runBackup(id: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'linkmarket-backup-'));
  const progress = createProgressReporter(id, 'progress');
  try {
    const [{ withFiles = false } = {}] = await db().select().from(backups).where(eq(backups.id, id));
    // Seals pending audit entries, so that the archive contains them sealed.
    await sealAuditLogs();
    const path = join(folder, 'archive');
    const { out, done } = createChecksumFile(path);
    const manifest = await writeArchive(out, {
      withFiles,
      onProgress: (share) => progress.report(share * archiveShare),
    });
    const { sizeBytes, sha256 } = await done;
    await backupStore().put(backupKey(id), { stream: createReadStream(path), sizeBytes, sha256 });
    await progress.end();
    await finishBackup(id, { status: 'complete', progress: 100, sizeBytes, sha256, manifest });
    return true;
  } catch (thrown) {
    log().error({ backup: id, err: thrown }, 'A backup could not be created.');
    await progress.end();
    const error = isStorageFull(thrown)
      ? 'There is not enough storage space for the backup. Free some space or store files elsewhere, and try again.'
      : 'The backup could not be created. See the server log for the reason.';
    await finishBackup(id, { status: 'failed', error });
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Records the end of a running backup. Admins are mailed about a failure of a scheduled one. */
export async function finishBackup(id: string, values: Partial<typeof backups.$inferInsert>): Promise<void> {
  await db().transaction(async (tx) => {
    const [row] = await tx
      .update(backups)
      .set({ ...values, finishedAt: new Date() })
      .where(and(eq(backups.id, id), eq(backups.status, 'running')))
      .returning();
    if (!row) return;
    const isComplete = values.status === 'complete';
    await recordAudit(tx, systemActor(systemActors.backup, 'job'), {
      action: isComplete ? 'backup.made' : 'backup.failed',
      details: isComplete
        ? `The backup ${row.fileName} started by ${row.createdBy} is complete.`
        : `The backup ${row.fileName} started by ${row.createdBy} failed.`,
      entityType: 'backup',
      entityId: id,
      ...(isComplete && { after: { sizeBytes: row.sizeBytes, sha256: row.sha256 } }),
    });
    if (!isComplete && row.origin === 'scheduled') {
      await queueAdminAlert(tx, {
        subject: 'The scheduled backup failed',
        text: row.error ?? '',
        advice: 'No archive was stored. Start a backup by hand when the cause is removed.',
        path: '/dashboard/features/backup',
        linkLabel: 'Open Backup and Restore',
      });
    }
  });
}

/** Creates a file stream that counts and hashes its bytes. */
function createChecksumFile(path: string): { out: Writable; done: Promise<{ sizeBytes: number; sha256: string }> } {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const out = new PassThrough();
  const done = pipeline(
    out,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  ).then(() => ({ sizeBytes, sha256: hash.digest('hex') }));
  // The caller awaits it; prevents an unhandled rejection before that.
  done.catch(() => undefined);
  return { out, done };
}

/**
 * Creates the row of a backup. `runBackup` creates its archive.
 * @param dueAt the time at which a scheduled backup was due
 * @throws AppError conflict while another backup is running, or when the scheduled one was already made
 */
export async function startBackup(
  actor: AnyActor,
  { withFiles }: CreateBackupInput,
  dueAt?: Date,
): Promise<{ id: string }> {
  const createdBy = actor.userId === null ? actor.name : actor.email;
  return db().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('backup')})`);
    const running = await tx.select({ id: backups.id }).from(backups).where(isRunning).limit(1);
    if (running.length > 0)
      throw new AppError('conflict', 'A backup is already in progress. Wait until it is complete.');
    if (dueAt) {
      const isMade = and(eq(backups.origin, 'scheduled'), gte(backups.createdAt, dueAt));
      if ((await tx.select({ id: backups.id }).from(backups).where(isMade).limit(1)).length > 0)
        throw new AppError('conflict', 'This scheduled backup was already made.');
    }
    const id = newId();
    const minute = new Date().toISOString().slice(0, 16).replace('T', '-').replace(':', '');
    await tx.insert(backups).values({
      id,
      fileName: `linkmarket-backup-${minute}.lmbackup`,
      origin: dueAt ? 'scheduled' : 'made',
      withFiles,
      createdBy,
    });
    await recordAudit(tx, actor, {
      action: 'backup.begun',
      details: `${createdBy} started a backup ${withFiles ? 'with' : 'without'} the delivered files.`,
      entityType: 'backup',
      entityId: id,
    });
    return { id };
  });
}
