import type postgres from 'postgres';
import type { Database, Executor } from './client';

/** The argument of the callback of `db().transaction()`. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** Returns the driver's client of the pool or of a transaction, which Drizzle's session holds undeclared. */
export function driverOf(on: Executor): postgres.TransactionSql {
  const { session } = on._ as unknown as { session: { client: postgres.TransactionSql } };
  return session.client;
}
