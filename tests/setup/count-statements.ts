import type postgres from 'postgres';
import { openPool } from '@/db/open-pool';
import { runOnPool } from './run-on-pool';

/** What a verb sends to PostgreSQL. */
export type Traffic = {
  /** The statements in their order, without `begin` and `commit`. */
  statements: string[];
  /** How often it waits for PostgreSQL: statements that are sent together are one round trip. */
  roundTrips: number;
};

/**
 * Counts what a verb sends to PostgreSQL when its statements are prepared: it runs several times before, on one connection.
 * @param prepare makes what each run needs, and is not counted
 */
export async function countStatements<Needed>(
  prepare: () => Promise<Needed>,
  run: (needed: Needed) => Promise<unknown>,
): Promise<Traffic> {
  const pool = openPool(1);
  try {
    return await runOnPool(pool, async () => {
      for (let time = 0; time < 3; time++) await run(await prepare());
      const needed = await prepare();
      return watch(pool, () => run(needed));
    });
  } finally {
    await pool.end();
  }
}

async function watch(pool: postgres.Sql, run: () => Promise<unknown>): Promise<Traffic> {
  const traffic: Traffic = { statements: [], roundTrips: 0 };
  let isTurnCounted = false;
  // The driver calls it for each statement that it sends.
  pool.options.debug = (_connection, statement) => {
    const [verb = ''] = statement.trim().split(/\s/);
    if (!['begin', 'commit'].includes(verb)) traffic.statements.push(statement.replace(/\s+/g, ' ').trim());
    // A response arrives in a later turn of the event loop.
    if (!isTurnCounted) traffic.roundTrips += 1;
    isTurnCounted = true;
    setImmediate(() => {
      isTurnCounted = false;
    });
  };
  await run();
  pool.options.debug = false;
  return traffic;
}
