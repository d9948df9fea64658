import { lt, or, type SQL, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { emailTokens } from '../../db/schema/email-tokens';
import { rateLimits } from '../../db/schema/limits';
import { sessions } from '../../db/schema/users';

/** How long the trace of a sign-in or of a mailed link stays readable after it stopped working. */
const keptDays = 30;

/**
 * Deletes what serves nobody any more: counts whose window is over, and sessions and mailed links that ended, were used
 * or ran out 30 days ago. The audit log keeps what they stood for.
 */
export async function removeOldRecords(): Promise<{ rateLimits: number; sessions: number; emailTokens: number }> {
  const longAgo: SQL = sql`now() - make_interval(days => ${keptDays})`;
  const [counts, ended, used] = await Promise.all([
    db().delete(rateLimits).where(lt(rateLimits.resetsAt, sql`now()`)),
    db()
      .delete(sessions)
      .where(or(lt(sessions.endedAt, longAgo), lt(sessions.expiresAt, longAgo))),
    db()
      .delete(emailTokens)
      .where(or(lt(emailTokens.usedAt, longAgo), lt(emailTokens.expiresAt, longAgo))),
  ]);
  return { rateLimits: counts.count, sessions: ended.count, emailTokens: used.count };
}
