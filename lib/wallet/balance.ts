import { and, eq, type Placeholder, sql } from 'drizzle-orm';
import { cache } from 'react';
import type { Executor } from '../../db/client';
import { prepared } from '../../db/prepared';
import { accounts } from '../../db/schema/ledger';
import { walletCurrency } from '../money';

/**
 * What a person's wallet holds, in USD cents; 0 for one that never moved money.
 * @param tx the transaction it is needed in; without one a page reads it once, for its frame and for itself
 */
export async function getWalletBalance(userId: string, tx?: Executor): Promise<number> {
  const [row] = tx ? await selectBalance(tx, userId) : await readBalance(userId);
  return row?.balanceCents ?? 0;
}

const readBalance = cache((userId: string) => statement().execute({ userId }));

const statement = prepared((on) => selectBalance(on, sql.placeholder('userId')).prepare('wallet_balance'));

const selectBalance = (on: Executor, userId: string | Placeholder) =>
  on
    .select({ balanceCents: accounts.balanceCents })
    .from(accounts)
    .where(and(eq(accounts.kind, 'wallet'), eq(accounts.owner, userId), eq(accounts.currency, walletCurrency)));
