import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/**
 * Builds a query of the first distinct values of a column, as one column `value`. Uses a loose index scan: the cost
 * depends on the number of distinct values, not on the number of rows.
 * @param where the predicate of the index that begins with the column
 */
export const selectDistinctValues = (table: PgTable, column: PgColumn, where: SQL, limit: number): SQL => sql`
  with recursive step as (
    (select ${column} as value from ${table} where ${where} order by ${column} limit 1)
    union all
    select (select ${column} from ${table} where ${where} and ${column} > step.value order by ${column} limit 1)
    from step where step.value is not null
  )
  select value from step where value is not null limit ${limit}`;
