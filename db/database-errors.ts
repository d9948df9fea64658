/** Codes of the driver, and of the network below it, for a connection that cannot be opened or was closed. */
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
 * SQLSTATEs of a server that cannot be used: class 08 (connection exceptions), 25006 (a read-only server, as during a
 * failover), 53300 (too many connections), 57P01 to 57P05 (a server that shuts down, crashed or starts).
 */
const serverCodes = /^(08...|25006|53300|57P0[1-5])$/;

/** SQLSTATE read_only_sql_transaction. */
const readOnlyTransaction = '25006';

/** SQLSTATE query_canceled: the statement exceeded statement_timeout, or an operator canceled it. */
const queryCanceled = '57014';

/** Checks whether an operation failed because the database is unavailable, and not because of the operation itself. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  const code = errorCode(thrown);
  return code !== null && (connectionCodes.has(code) || serverCodes.test(code));
}

/** Checks whether a change met a server that accepts no writes, as the old primary after a failover. */
export function isReadOnlyServer(thrown: unknown): boolean {
  return errorCode(thrown) === readOnlyTransaction;
}

/**
 * Checks whether a read that failed on a replica can succeed on the primary: any failure of PostgreSQL, the driver or the
 * network, such as a conflict with replication, but not a statement that was too slow or wrote.
 */
export function isRepeatable(thrown: unknown): boolean {
  // Other errors of the app have codes in small letters.
  return /^[A-Z\d_]+$/.test(errorCode(thrown) ?? '') && !isQueryCanceled(thrown) && !isReadOnlyServer(thrown);
}

/** Checks whether PostgreSQL canceled a statement, mostly due to its statement_timeout (db/open-pool.ts). */
export function isQueryCanceled(thrown: unknown): boolean {
  return errorCode(thrown) === queryCanceled;
}

/**
 * Returns the code of an error of a statement or transaction: PostgreSQL's SQLSTATE, the driver's or the network's. An
 * error of another service has its code further down its chain of causes, and none here.
 */
function errorCode(thrown: unknown): string | null {
  // DrizzleQueryError is recognized by its shape: each bundle of the server has its own class of that name.
  const isQuery = thrown instanceof Error && 'query' in thrown && 'params' in thrown;
  const cause = isQuery ? thrown.cause : thrown;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
}
