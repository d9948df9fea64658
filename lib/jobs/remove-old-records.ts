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

/** How long the trace of a sign-in or of a mailed link stays readable after it stopped working. */
const keptDays = 30;

/**
 * Deletes what serves nobody any more: counts whose window is over; sessions, mailed links and mails that ended, were
 * used or ran out 30 days ago. The audit log keeps what they stood for.
 */
export async function removeOldRecords(): Promise<Record<'rateLimits' | 'sessions' | 'emailTokens' | 'mails', number>> {
  const longAgo: SQL = sql`now() - make_interval(days => ${keptDays})`;
  const [counts, ended, used, done] = await Promise.all([
    remove((tx) => tx.delete(rateLimits).where(lt(rateLimits.resetsAt, sql`now()`))),
    remove((tx) => tx.delete(sessions).where(or(lt(sessions.endedAt, longAgo), lt(sessions.expiresAt, longAgo)))),
    remove((tx) =>
      tx.delete(emailTokens).where(or(lt(emailTokens.usedAt, longAgo), lt(emailTokens.expiresAt, longAgo))),
    ),
    remove((tx) => tx.delete(mails).where(or(lt(mails.sentAt, longAgo), lt(mails.failedAt, longAgo)))),
  ]);
  return { rateLimits: counts.count, sessions: ended.count, emailTokens: used.count, mails: done.count };
}

/** After a long while without a turn there may be more than a request's bound allows. */
function remove<T>(rows: (tx: Transaction) => Promise<T>): Promise<T> {
  return db().transaction(async (tx) => {
    await extendStatementTimeout(tx);
    return rows(tx);
  });
}

/** What uploads (lib/platform/storage/spool.ts) and backups (lib/backup/run.ts) write into before they store anything. */
const ours = /^linkmarket-(upload|backup)-/;
/** No upload and no backup takes so long. */
const abandonedMs = 24 * 60 * 60 * 1000;

/**
 * Deletes temporary folders whose process was killed before it could: a backup's holds the whole database.
 * @returns how many
 */
export async function removeTempFolders(): Promise<{ removed: number }> {
  const names = (await readdir(tmpdir())).filter((name) => ours.test(name));
  let removed = 0;
  for (const name of names) {
    const path = join(tmpdir(), name);
    const found = await stat(path).catch(unlessGone);
    if (!found || Date.now() - found.mtimeMs < abandonedMs) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return { removed };
}

/** Its own process removes it at this moment. */
function unlessGone(thrown: NodeJS.ErrnoException): null {
  if (thrown.code === 'ENOENT') return null;
  throw thrown;
}
