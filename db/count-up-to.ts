import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { db, type Executor } from './client';

/** A number of rows: exact, or a lower bound if `isCapped`. */
export type CappedCount = { total: number; isCapped: boolean };

/** Counting stops here: the cost of a list must not grow with its table. */
export const countCap = 10_000;

/** The tabs of a list count up to this number of rows each, because every view of the list counts them all. */
export const tabCountCap = 1_000;

/** Counting the results of a search stops earlier, because it may read many rows that do not match. */
export const searchCountCap = 200;

const counted = z.tuple([z.object({ total: z.number() })]);

/**
 * Counts the rows of a query up to a cap, shown as "10,000+". Reads one row more than the cap.
 * @param rows builds the query with a limit
 */
export async function countUpTo(
  rows: (limit: number) => SQLWrapper,
  on: Pick<Executor, 'execute'> = db(),
  cap = countCap,
): Promise<CappedCount> {
  const [{ total }] = counted.parse([
    ...(await on.execute(sql`select count(*)::int as total from ${rows(cap + 1)} as counted`)),
  ]);
  return { total: Math.min(total, cap), isCapped: total > cap };
}

/** Counts the rows of a table that match a condition, up to a cap. */
export const countRows = (
  table: PgTable,
  where: SQL | undefined,
  on?: Pick<Executor, 'execute'>,
  cap?: number,
): Promise<CappedCount> =>
  countUpTo((limit) => sql`(select from ${table} where ${where ?? sql`true`} limit ${limit})`, on, cap);
