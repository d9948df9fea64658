/**
 * Describes an error for the log. The message and stack of a failed query contain its parameters, among them password
 * hashes and mailed links, so only the statement and the database's message are kept. The same holds for causes.
 */
export function describeError(thrown: unknown): { message: string; cause?: string; stack?: string } {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const query = getFailedQuery(thrown);
  if (query !== null) {
    return { message: `Failed query: ${query}`, cause: thrown.cause ? String(thrown.cause) : undefined };
  }
  return {
    message: String(thrown),
    cause: thrown.cause ? describeCause(thrown.cause) : undefined,
    stack: thrown.stack,
  };
}

function describeCause(thrown: unknown): string {
  const { message, cause } = describeError(thrown);
  return cause ? `${message}: ${cause}` : message;
}

/**
 * Returns the statement of Drizzle's DrizzleQueryError; null for any other error. It is recognized by its shape,
 * because each server bundle contains its own copy of the class.
 */
function getFailedQuery(thrown: Error): string | null {
  const isQuery = 'query' in thrown && typeof thrown.query === 'string' && 'params' in thrown;
  return isQuery ? String(thrown.query) : null;
}
