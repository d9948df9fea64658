import { db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { adjustmentsAccount, postTransfer, walletAccount } from '@/lib/ledger/post-transfer';
import { formatMoney, walletCurrency } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';

/**
 * Credits the opening balance of a wallet as a manual top-up, once for each user.
 * @param amountCents USD cents
 */
export async function openingCredit(
  admin: Actor,
  person: { id: string; email: string },
  amountCents: number,
): Promise<void> {
  await db().transaction(async (tx) => {
    const note = 'Opening credit';
    const { replayed } = await postTransfer(tx, {
      key: `manual:demo-opening:${person.id}`,
      kind: 'manual_topup',
      from: adjustmentsAccount,
      to: walletAccount(person.id),
      amountCents,
      currency: walletCurrency,
      actorId: admin.userId,
      method: 'Manual',
      note,
    });
    if (replayed) return;
    await recordAudit(tx, admin, {
      action: 'wallet.topped_up',
      details: `${note} of ${formatMoney(amountCents, walletCurrency)} for ${person.email}.`,
      entityType: 'wallet',
      entityId: person.id,
      amountCents,
    });
  });
}
