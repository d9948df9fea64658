import { and, eq, type Placeholder, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Executor } from '../../db/client';
import { prepared } from '../../db/prepared';
import { accounts } from '../../db/schema/ledger';
import { walletCurrency } from '../money';

/**
 * What a person's wallet holds, in USD cents; 0 for one that never moved money. The pages of the customer area have it
 * from their frame (lib/dashboard/buyer-frame.ts).
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
