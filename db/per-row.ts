import { type SQL, sql } from 'drizzle-orm';

/**
 * Has a condition checked for each row of a list, in the list's order. Most rows meet it, which the planner does not know
 * while a table has no statistics: it takes a column that is always null for one that rarely is, and reads the whole table
 * by another index. A subquery is neither estimated so nor turned into a join.
 */
export const perRow = (condition: SQL): SQL => sql`(select ${condition})`;
