import { lt, or, type SQL, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { letTakeLong } from '../../db/let-take-long';
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
    await letTakeLong(tx);
    return rows(tx);
  });
}
