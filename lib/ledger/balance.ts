import { and, eq, type Placeholder, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { prepared } from '@/db/prepared';
import { accounts } from '@/db/schema/ledger';
import { walletCurrency } from '@/lib/money';

/**
 * Returns the balance of a user's wallet in integer USD cents, or 0 when the wallet never moved money. Pages of the
 * customer area read it from their layout data (lib/dashboard/buyer.ts).
 * @param tx the transaction to read in
 */
export async function getWalletBalance(userId: string, tx?: Executor): Promise<number> {
  const [row] = await (tx ? selectBalance(tx, userId) : statement().execute({ userId }));
  return row?.balanceCents ?? 0;
}

const statement = prepared((on) => selectBalance(on, sql.placeholder('userId')).prepare('wallet_balance'));

/** Builds the balance query, for statements that combine it with others. */
export const selectBalance = (on: Executor, userId: string | Placeholder) =>
  on.select({ balanceCents: accounts.balanceCents }).from(accounts).where(isWalletOf(userId));

/** Condition that selects a user's wallet account. */
export const isWalletOf = (userId: string | Placeholder | PgColumn) =>
  and(eq(accounts.kind, 'wallet'), eq(accounts.owner, userId), eq(accounts.currency, walletCurrency));

const resultRow = z.object({ owed: z.coerce.number() });

/**
 * Returns the amount a user owes the platform: payments that were refunded or disputed after the money was spent, less
 * repayments from later top-ups.
 * @returns integer USD cents, 0 or above
 */
export async function getOwedCents(userId: string, executor: Executor = db()): Promise<number> {
  const rows = await executor.execute(sql`
    select coalesce(sum(case when t.from_account = a.id then t.amount_cents else -t.amount_cents end), 0) as owed
    from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
    where a.kind = 'receivable' and a.owner = ${userId} and a.currency = ${walletCurrency}`);
  return resultRow.parse(rows[0]).owed;
}
