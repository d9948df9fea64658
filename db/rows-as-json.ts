import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

type Query<Row> = SQLWrapper & { _: { result: Row[] } };

/**
 * Selects the rows of a query as one JSON value, so that one statement can return the rows of several queries: on a
 * page, a round trip costs more than the rows. Columns have their names in the database unless the query renames them,
 * and must be of types that JSON represents: text, numbers, booleans.
 */
export function rowsAsJson<Row>(query: Query<Row>): SQL<Row[]> {
  return sql<Row[]>`(select coalesce(json_agg(line), '[]') from ${query} line)`;
}
