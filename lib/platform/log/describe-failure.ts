/**
 * A failure as a log line may have it. A failed query's own message and stack hold its parameters, among them password
 * hashes and mailed links, so of that only the statement and the database's complaint are kept; of a cause as well.
 */
export function describeFailure(thrown: unknown): { message: string; cause?: string; stack?: string } {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const query = queryOf(thrown);
  if (query !== null) {
    return { message: `Failed query: ${query}`, cause: thrown.cause ? String(thrown.cause) : undefined };
  }
  return { message: String(thrown), cause: thrown.cause ? causeOf(thrown.cause) : undefined, stack: thrown.stack };
}

function causeOf(thrown: unknown): string {
  const { message, cause } = describeFailure(thrown);
  return cause ? `${message}: ${cause}` : message;
}

/**
 * The statement of Drizzle's DrizzleQueryError, known by its shape: each bundle of the server has a class of its own of
 * that name, and what one throws another logs. Null for any other error.
 */
function queryOf(thrown: Error): string | null {
  const isQuery = 'query' in thrown && typeof thrown.query === 'string' && 'params' in thrown;
  return isQuery ? String(thrown.query) : null;
}
