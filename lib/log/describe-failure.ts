import { DrizzleQueryError } from 'drizzle-orm';

/**
 * A failure as a log line may have it. A failed query's own message and stack hold its parameters, among them password
 * hashes and mailed links, so of that only the statement and the database's complaint are kept; of a cause as well.
 */
export function describeFailure(thrown: unknown): { message: string; cause?: string; stack?: string } {
  if (thrown instanceof DrizzleQueryError) {
    return { message: `Failed query: ${thrown.query}`, cause: thrown.cause ? String(thrown.cause) : undefined };
  }
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  return { message: String(thrown), cause: thrown.cause ? causeOf(thrown.cause) : undefined, stack: thrown.stack };
}

function causeOf(thrown: unknown): string {
  const { message, cause } = describeFailure(thrown);
  return cause ? `${message}: ${cause}` : message;
}
