import { sql } from 'drizzle-orm';
import type { Transaction } from './transaction';

/**
 * Gives the statements of a transaction an hour each: for what reads or writes whole tables, in place of the bound that a
 * request has (db/open-pool.ts).
 */
export async function letTakeLong(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local statement_timeout = '1h'`);
}
