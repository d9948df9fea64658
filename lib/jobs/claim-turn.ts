import { eq, lte, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { rateLimits } from '../../db/schema/limits';

/**
 * Claims the turn of a job that is too costly for every instance, or for every call of a cron.
 * @param seconds how long nobody else gets a turn
 * @returns whether it is the caller's
 */
export async function claimTurn(job: string, seconds: number): Promise<boolean> {
  const resetsAt = sql`now() + make_interval(secs => ${seconds})`;
  const claimed = await db()
    .insert(rateLimits)
    .values({ key: `job:${job}`, count: 1, resetsAt })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: { count: 1, resetsAt },
      setWhere: lte(rateLimits.resetsAt, sql`now()`),
    })
    .returning({ key: rateLimits.key });
  return claimed.length > 0;
}

/** Gives a turn back after a failure: the next call of `claimTurn` gets it, whichever instance makes it. */
export async function releaseTurn(job: string): Promise<void> {
  await db()
    .delete(rateLimits)
    .where(eq(rateLimits.key, `job:${job}`));
}
