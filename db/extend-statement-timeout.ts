import { sql } from 'drizzle-orm';
import type { Transaction } from './transaction';

/**
 * Sets statement_timeout to one hour for the rest of a transaction that reads or writes whole tables. Requests have a
 * shorter limit (db/open-pool.ts).
 */
export async function extendStatementTimeout(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local statement_timeout = '1h'`);
}
