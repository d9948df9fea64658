import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lt, or, type SQL, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { extendStatementTimeout } from '../../db/extend-statement-timeout';
import { emailTokens } from '../../db/schema/email-tokens';
import { rateLimits } from '../../db/schema/limits';
import { mails } from '../../db/schema/mails';
import { sessions } from '../../db/schema/users';
import type { Transaction } from '../../db/transaction';

/** The retention of ended sessions, used links and sent mails, in days. */
const retentionDays = 30;

/**
 * Deletes expired records: rate-limit counters whose window has ended; sessions, mailed links and mails that ended 30 days
 * ago. The audit log keeps the events.
 */
export async function removeOldRecords(): Promise<Record<'rateLimits' | 'sessions' | 'emailTokens' | 'mails', number>> {
  const longAgo: SQL = sql`now() - make_interval(days => ${retentionDays})`;
  const [counts, ended, used, done] = await Promise.all([
    deleteWithLongTimeout((tx) => tx.delete(rateLimits).where(lt(rateLimits.resetsAt, sql`now()`))),
    deleteWithLongTimeout((tx) =>
      tx.delete(sessions).where(or(lt(sessions.endedAt, longAgo), lt(sessions.expiresAt, longAgo))),
    ),
    deleteWithLongTimeout((tx) =>
      tx.delete(emailTokens).where(or(lt(emailTokens.usedAt, longAgo), lt(emailTokens.expiresAt, longAgo))),
    ),
    deleteWithLongTimeout((tx) => tx.delete(mails).where(or(lt(mails.sentAt, longAgo), lt(mails.failedAt, longAgo)))),
  ]);
  return { rateLimits: counts.count, sessions: ended.count, emailTokens: used.count, mails: done.count };
}

/** Deletes rows without the statement timeout of a request, because there may be many after an outage. */
function deleteWithLongTimeout<T>(rows: (tx: Transaction) => Promise<T>): Promise<T> {
  return db().transaction(async (tx) => {
    await extendStatementTimeout(tx);
    return rows(tx);
  });
}

/** The temporary folders of uploads (lib/platform/storage/spool.ts) and backups (lib/backup/run.ts). */
const tempFolderPattern = /^linkmarket-(upload|backup)-/;
/** Longer than any upload or backup. */
const abandonedMs = 24 * 60 * 60 * 1000;

/**
 * Deletes temporary folders of processes that were killed. A backup's folder contains the whole database.
 * @returns the number of folders deleted
 */
export async function removeTempFolders(): Promise<{ removed: number }> {
  const names = (await readdir(tmpdir())).filter((name) => tempFolderPattern.test(name));
  let removed = 0;
  for (const name of names) {
    const path = join(tmpdir(), name);
    const found = await stat(path).catch(ignoreMissing);
    if (!found || Date.now() - found.mtimeMs < abandonedMs) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return { removed };
}

/** Ignores a folder that its own process has removed in the meantime. */
function ignoreMissing(thrown: NodeJS.ErrnoException): null {
  if (thrown.code === 'ENOENT') return null;
  throw thrown;
}
