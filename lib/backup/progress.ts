import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import { backupNotFoundError } from './queries';

const minIntervalMs = 250;

/** The interval of heartbeats: the row is updated even without progress, which shows that the process is alive. */
const heartbeatMs = 20_000;

/**
 * Writes the progress of an operation to its backup's row: at most four times per second, one write at a time, never
 * decreasing.
 * @param column `progress` for writing the archive, `restoreProgress` for reading it
 */
export function createProgressReporter(id: string, column: 'progress' | 'restoreProgress') {
  let share = 0;
  let isEnded = false;
  let lastPercent = -1;
  let lastWriteAt = 0;
  let writing: Promise<unknown> = Promise.resolve();
  let isWriting = false;
  const write = () => {
    const percent = Math.min(99, Math.floor(share * 100));
    if (isEnded || isWriting) return;
    isWriting = true;
    lastPercent = percent;
    lastWriteAt = Date.now();
    // Progress is best effort: a failed write is followed by the next one.
    writing = Promise.allSettled([
      db()
        .update(backups)
        .set({ [column]: percent })
        .where(eq(backups.id, id)),
    ]).then(() => {
      isWriting = false;
    });
  };
  const heartbeat = setInterval(write, heartbeatMs).unref();
  return {
    /** @param now from 0 to 1 */
    report(now: number) {
      share = Math.max(share, now);
      if (Math.floor(share * 100) > lastPercent && Date.now() - lastWriteAt >= minIntervalMs) write();
    },
    /** Stops the reporter and waits for the last write. */
    async end() {
      isEnded = true;
      clearInterval(heartbeat);
      await writing;
    },
  };
}

/**
 * Runs a check or restore of an archive, with its progress in the backup's row. Before, between and after, the column
 * is null. Two operations on one archive share the column; the last one clears it.
 * @param run receives a function that reports the progress from 0 to 1
 */
export async function withRestoreProgress<T>(
  id: string,
  run: (report: (share: number) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgressReporter(id, 'restoreProgress');
  try {
    return await run(progress.report);
  } finally {
    await progress.end();
    await db().update(backups).set({ restoreProgress: null }).where(eq(backups.id, id));
  }
}

/** Returns the progress of a check or restore in percent; null while there is none. @throws AppError not_found */
export async function getRestoreProgress(id: string): Promise<number | null> {
  const [row] = await db().select({ percent: backups.restoreProgress }).from(backups).where(eq(backups.id, id));
  if (!row) throw backupNotFoundError();
  return row.percent;
}
