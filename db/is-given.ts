import { type Column, type SQL, sql } from 'drizzle-orm';

/**
 * Builds the condition that a number is in a list, which the parameter `name` has as JSON. PostgreSQL keeps one plan for a
 * prepared statement with it. With `= any($1)`, it plans every execution, because the plan for the list at hand seems better.
 */
export const isGiven = (column: Column, name: string): SQL =>
  sql`${column} in (select value::int from jsonb_array_elements_text(${sql.placeholder(name)}::text::jsonb))`;
