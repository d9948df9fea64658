/** No connection, or one that ended: of the driver, and of the network below it. */
const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * PostgreSQL, "Error Codes": class 08 is connections; 57P01 to 57P05 a server that stops, crashed or starts; 53300 too
 * many connections; 25006 a server that may only be read, as one is while another takes over.
 */
const serverCodes = /^(08...|57P0[1-5]|53300|25006)$/;

/**
 * Whether something failed because the database cannot be used at the moment, not because of what was asked of it. What
 * a failed query or a transaction throws counts; a failure that other services cause carries its code further down.
 */
export function isDatabaseAway(thrown: unknown): boolean {
  // Drizzle's DrizzleQueryError by its shape: each bundle of the server has a class of its own of that name.
  const isQuery = thrown instanceof Error && 'query' in thrown && 'params' in thrown;
  const cause = isQuery ? thrown.cause : thrown;
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return false;
  return connectionCodes.has(cause.code) || serverCodes.test(cause.code);
}
