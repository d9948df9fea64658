import { db } from '@/db/client';
import { newId } from '@/lib/ids';
import { adjustmentsAccount, postTransfer, walletAccount } from '@/lib/ledger/post-transfer';

/** Credits USD cents to a wallet by a manual top-up. */
export async function fundWallet(userId: string, amountCents: number, note = 'Test money'): Promise<void> {
  await postTransfer(db(), {
    key: `test:${newId()}`,
    kind: 'manual_topup',
    from: adjustmentsAccount,
    to: walletAccount(userId),
    amountCents,
    currency: 'USD',
    method: 'Manual',
    note,
  });
}
