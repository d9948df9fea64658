import type postgres from 'postgres';
import type { Transaction } from './transaction';

/** Drizzle has no COPY; its session holds the driver's own transaction, which its types do not tell. */
export function driverOf(tx: Transaction): postgres.TransactionSql {
  const { session } = tx._ as unknown as { session: { client: postgres.TransactionSql } };
  return session.client;
}
