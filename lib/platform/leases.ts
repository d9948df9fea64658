import { and, lte, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { db } from '@/db/client';

/**
 * Leases of rows in queues: an instance claims due rows by moving their due time to the end of a lease, and no row is
 * locked during the work. When the instance dies, the rows become due again.
 */

/** The database's time in so many seconds: the end of a lease, or the time of the next attempt. */
export const secondsFromNow = (seconds: number): SQL => sql`now() + make_interval(secs => ${seconds})`;

/** Exponential backoff: the wait doubles with every attempt, up to a maximum. */
export type Backoff = { firstSeconds: number; maxSeconds: number };

/**
 * Returns the seconds to wait before the next attempt.
 * @param attempts the number of doublings of the first wait
 */
export function getBackoffSeconds(attempts: number, { firstSeconds, maxSeconds }: Backoff): number {
  // 2 ** attempts would become infinite.
  return Math.min(firstSeconds * 2 ** Math.min(attempts, 10), maxSeconds);
}

type Queue = {
  id: PgColumn;
  /** When a row is due; null once it is finished. */
  dueAt: PgColumn;
  /** Further conditions. */
  where: SQL | undefined;
  /** Sorted by this first, and then by due time. */
  first?: (SQL | PgColumn)[];
  limit: number;
};

/**
 * Builds the condition of the rows that are due longest, without those that another instance is claiming. For the
 * UPDATE that sets `dueAt` to the end of the lease.
 */
export function isDue({ id, dueAt, where, first = [], limit }: Queue): SQL {
  const due = db()
    .select({ id })
    .from(id.table)
    .where(and(lte(dueAt, sql`now()`), where))
    .orderBy(...first, dueAt)
    .limit(limit)
    .for('no key update', { skipLocked: true });
  // PostgreSQL may run a subquery of IN once per row, which leases more rows than the limit; an array is built once.
  return sql`${id} = any(array(${due}))`;
}

/**
 * Processes leased rows in several workers, until none is due or the run ends.
 * @param endsAt the time after which no further row is leased, in milliseconds since 1970
 * @param lease claims a row for a worker; null or undefined if none is due
 */
export async function processLeased<Leased>(
  { workers, endsAt }: { workers: number; endsAt: number },
  lease: (worker: number) => Promise<Leased | null | undefined>,
  run: (leased: Leased) => Promise<void>,
): Promise<void> {
  const work = async (_: unknown, worker: number) => {
    while (Date.now() < endsAt) {
      const leased = await lease(worker);
      if (leased === null || leased === undefined) return;
      await run(leased);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}
