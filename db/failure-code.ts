/**
 * The code of what a statement or a transaction threw: PostgreSQL's SQLSTATE, the driver's, or the network's. A failure
 * that another service causes carries its code further down, and has none here.
 */
export function failureCode(thrown: unknown): string | null {
  // Drizzle's DrizzleQueryError by its shape: each bundle of the server has a class of its own of that name.
  const isQuery = thrown instanceof Error && 'query' in thrown && 'params' in thrown;
  const cause = isQuery ? thrown.cause : thrown;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
}
