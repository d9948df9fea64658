import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

type Query<Row> = SQLWrapper & { _: { result: Row[] } };

/**
 * The rows of a query as one JSON value, so that one statement can answer several questions: each statement costs a
 * page more than its rows. The columns go by their names in the database unless the query names them, and hold what
 * JSON can: texts, numbers, booleans.
 */
export function rowsAsJson<Row>(query: Query<Row>): SQL<Row[]> {
  return sql<Row[]>`(select coalesce(json_agg(line), '[]') from ${query} line)`;
}
