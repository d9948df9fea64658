import { and, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { backups } from '../../db/schema/backups';

const quietMs = 250;

/** The row moves on at least so often, also through one large table: that is how others see it was not cut off. */
const beatMs = 20_000;

/**
 * Writes a backup's progress into its row: at most four times a second, one write at a time, never backwards.
 */
export function toldProgress(id: string) {
  let share = 0;
  let isEnded = false;
  let told = -1;
  let toldAt = 0;
  let writing: Promise<unknown> = Promise.resolve();
  let isWriting = false;
  const write = () => {
    const percent = Math.min(99, Math.floor(share * 100));
    if (isEnded || isWriting) return;
    isWriting = true;
    told = percent;
    toldAt = Date.now();
    writing = Promise.allSettled([
      db()
        .update(backups)
        .set({ progress: percent })
        .where(and(eq(backups.id, id), eq(backups.status, 'running'))),
    ]).then(() => {
      isWriting = false;
    });
  };
  const beat = setInterval(write, beatMs).unref();
  return {
    tell(now: number) {
      share = Math.max(share, now);
      if (Math.floor(share * 100) > told && Date.now() - toldAt >= quietMs) write();
    },
    /** No write comes after this. */
    async end() {
      isEnded = true;
      clearInterval(beat);
      await writing;
    },
  };
}
