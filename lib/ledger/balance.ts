import { and, eq, type Placeholder, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { prepared } from '../../db/prepared';
import { accounts } from '../../db/schema/ledger';
import { walletCurrency } from '../money';

/**
 * What a person's wallet holds, in USD cents; 0 for one that never moved money. The pages of the customer area have it
 * from their frame (lib/dashboard/buyer.ts).
 * @param tx the transaction it is needed in
 */
export async function getWalletBalance(userId: string, tx?: Executor): Promise<number> {
  const [row] = await (tx ? selectBalance(tx, userId) : statement().execute({ userId }));
  return row?.balanceCents ?? 0;
}

const statement = prepared((on) => selectBalance(on, sql.placeholder('userId')).prepare('wallet_balance'));

/** The same for a statement that asks something else as well. */
export const selectBalance = (on: Executor, userId: string | Placeholder) =>
  on.select({ balanceCents: accounts.balanceCents }).from(accounts).where(isWalletOf(userId));

/** The condition of the wallet account of a user. */
export const isWalletOf = (userId: string | Placeholder | PgColumn) =>
  and(eq(accounts.kind, 'wallet'), eq(accounts.owner, userId), eq(accounts.currency, walletCurrency));

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
