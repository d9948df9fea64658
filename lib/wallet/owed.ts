import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { walletCurrency } from '../money';

const answer = z.object({ owed: z.coerce.number() });

/**
 * What a person owes the platform: payments that were refunded or disputed after their money was spent, less what later
 * top-ups paid of it.
 * @returns USD cents, 0 or above
 */
export async function getOwedCents(userId: string, executor: Executor = db()): Promise<number> {
  const rows = await executor.execute(sql`
    select coalesce(sum(case when t.from_account = a.id then t.amount_cents else -t.amount_cents end), 0) as owed
    from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
    where a.kind = 'receivable' and a.owner = ${userId} and a.currency = ${walletCurrency}`);
  return answer.parse(rows[0]).owed;
}
