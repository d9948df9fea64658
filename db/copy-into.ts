import type { Writable } from 'node:stream';
import type postgres from 'postgres';
import type { Transaction } from './transaction';

/**
 * Opens PostgreSQL's COPY into a table, inside a transaction: the fastest way in for many rows. The stream takes lines
 * of COPY's text format; while it is open, the transaction can do nothing else.
 * @param table and `columns`: names of ours, never a person's words
 */
export async function copyInto(tx: Transaction, table: string, columns: readonly string[]): Promise<Writable> {
  return clientOf(tx)
    .unsafe(`copy ${table} (${columns.join(', ')}) from stdin`)
    .writable();
}

/** Drizzle has no COPY; its session holds the driver's own transaction, which its types do not tell. */
function clientOf(tx: Transaction): postgres.TransactionSql {
  const { session } = tx._ as unknown as { session: { client: postgres.TransactionSql } };
  return session.client;
}
