import { failureCode } from './failure-code';

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
 * PostgreSQL, "Error Codes": class 08 is connections; 25006 a server that may only be read, as one is while another takes
 * over; 53300 too many connections; 57P01 to 57P05 a server that stops,
 * crashed or starts.
 */
const serverCodes = /^(08...|25006|53300|57P0[1-5])$/;

/** Whether something failed because the database cannot be used at the moment, not because of what was asked of it. */
export function isDatabaseAway(thrown: unknown): boolean {
  const code = failureCode(thrown);
  return code !== null && (connectionCodes.has(code) || serverCodes.test(code));
}
