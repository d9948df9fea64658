import DataLoader from 'dataloader';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { cache } from 'react';
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

const counted = z.tuple([z.record(z.string(), z.number())]);

/**
 * Counts the rows of a query up to a cap, shown as "10,000+". Reads one row more than the cap.
 * @param rows builds the query with a limit
 * @param on a transaction or replica; otherwise the counts of a page share statements
 */
export async function countUpTo(
  rows: (limit: number) => SQLWrapper,
  on?: Pick<Executor, 'execute'>,
  cap = countCap,
): Promise<CappedCount> {
  const counting = sql`select count(*)::int from ${rows(cap + 1)} as counted`;
  const [total = 0] = on && on !== db() ? await countAll([counting], on) : [await getLoader().load(counting)];
  return { total: Math.min(total, cap), isCapped: total > cap };
}

/**
 * Joins the counts that a page requests at the same time (React `cache`: of this page only), at most four, because a
 * statement runs on one core of the database. Nothing is cached.
 */
const getLoader = cache(
  () =>
    new DataLoader<SQL, number>((asked) => countAll(asked, db()), {
      cache: false,
      maxBatchSize: 4,
      batchScheduleFn: setImmediate,
    }),
);

async function countAll(asked: readonly SQL[], on: Pick<Executor, 'execute'>): Promise<number[]> {
  const columns = asked.map((counting, index) => sql`(${counting}) as ${sql.identifier(`total_${index}`)}`);
  const [row] = counted.parse([...(await on.execute(sql`select ${sql.join(columns, sql`, `)}`))]);
  return asked.map((_, index) => row[`total_${index}`] ?? 0);
}

/** Counts the rows of a table that match a condition, up to a cap. */
export const countRows = (
  table: PgTable,
  where: SQL | undefined,
  on?: Pick<Executor, 'execute'>,
  cap?: number,
): Promise<CappedCount> =>
  countUpTo((limit) => sql`(select from ${table} where ${where ?? sql`true`} limit ${limit})`, on, cap);
