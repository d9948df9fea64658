import { and, eq } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { accounts } from '../../db/schema/ledger';
import { walletCurrency } from '../money';

/** What a person's wallet holds, in USD cents; 0 for one that never moved money. */
export async function getWalletBalance(userId: string, executor: Executor = db()): Promise<number> {
  const [row] = await executor
    .select({ balanceCents: accounts.balanceCents })
    .from(accounts)
    .where(and(eq(accounts.kind, 'wallet'), eq(accounts.owner, userId), eq(accounts.currency, walletCurrency)));
  return row?.balanceCents ?? 0;
}
