import { sql } from 'drizzle-orm';
import type { Transaction } from './transaction';

/**
 * Gives the statements of a transaction an hour each, and its work between two of them ten minutes: for what reads or
 * writes whole tables or waits for a file, in place of the bounds that a request has (db/open-pool.ts).
 */
export async function letTakeLong(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    select set_config('statement_timeout', '1h', true), set_config('idle_in_transaction_session_timeout', '10min', true)`);
}
