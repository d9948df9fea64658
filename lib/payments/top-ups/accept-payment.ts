import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { clearingAccount, postTransfer, suspenseAccount, walletAccount } from '@/lib/ledger/post-transfer';
import { settleReceivable } from '@/lib/ledger/receivables';
import { formatMoney, walletCurrency } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import { recordAudit } from '@/lib/platform/audit/record';
import { notifyOwner } from './notify-owner';
import { recordTopupEvents } from './record-topup-events';
import { lockActiveMode } from './settle';
import { listSuspendedPayments } from './suspended-payments';

/**
 * Accepts a payment that did not match its top-up. The amount in suspense is credited to the buyer's wallet, and the
 * top-up's amounts become those of the payment, so that a later refund takes back exactly that. A payment that was
 * quoted in another currency and arrived as quoted is credited with its quote.
 * @throws AppError not_found when no payment is in suspense for it, forbidden for the actor's own top-up, conflict with
 * the reason when it cannot be credited
 */
export async function acceptPayment(actor: Actor, topupId: string): Promise<{ amountCents: number }> {
  return db().transaction(async (tx) => {
    await lockActiveMode(tx, topupId);
    const [topup] = await tx.select().from(topups).where(eq(topups.id, topupId)).for('no key update');
    const [suspended, ...others] = topup ? await listSuspendedPayments(topupId, tx) : [];
    if (!topup || !suspended) throw new AppError('not_found', 'This top-up no longer has an unmatched payment.');
    requireNotOwn(actor, topup.userId, 'accept a payment into your own wallet');
    if (suspended.refusal !== null) throw new AppError('conflict', suspended.refusal);
    if (others.length > 0) throw new AppError('conflict', 'This top-up has unmatched payments in several currencies.');
    const amountCents = suspended.creditCents;
    const isQuoted = suspended.currency !== walletCurrency;
    const name = providerNames[topup.provider];
    const money = formatMoney(amountCents, walletCurrency);
    await tx
      .update(topups)
      .set({
        status: 'paid',
        // A payment as quoted keeps the top-up's amounts.
        ...(!isQuoted && { amountCents, chargeAmountMinor: amountCents, chargeCurrency: walletCurrency }),
        reason: `${topup.reason ?? ''} Accepted as received.`.trim(),
        paidAt: new Date(),
      })
      .where(eq(topups.id, topupId));
    await recordAudit(tx, actor, {
      action: 'topup.accepted',
      details:
        `${money} by ${name}, held as unmatched until now, credited to ${suspended.user.email}. ${topup.reason ?? ''}`.trim(),
      entityType: 'topup',
      entityId: topupId,
      amountCents,
      before: { status: topup.status, amountCents: topup.amountCents },
      after: { status: 'paid', amountCents },
    });
    const credited = { ...topup, amountCents, currency: walletCurrency };
    await recordTopupEvents(tx, credited);
    await notifyOwner(tx, actor, 'topup.paid', credited);
    if (isQuoted) {
      // Wallets hold one currency, so the suspense transfer is reversed and the payment is booked as one that matched
      // its quote.
      await postTransfer(tx, {
        key: `release:${suspended.transferId}:undone`,
        kind: 'reversal',
        from: suspenseAccount,
        to: clearingAccount(topup.provider),
        amountCents: suspended.heldMinor,
        currency: suspended.currency,
        reversesId: suspended.transferId,
        actorId: actor.userId,
        method: name,
        note: 'Credited as quoted',
        meta: { topupId, provider: topup.provider, mode: topup.mode, paymentReference: topup.paymentReference },
      });
    }
    await postTransfer(tx, {
      // The key contains the payment, so that it is accepted once.
      key: `release:${suspended.transferId}`,
      kind: 'topup',
      from: isQuoted ? clearingAccount(topup.provider) : suspenseAccount,
      to: walletAccount(topup.userId),
      amountCents,
      currency: walletCurrency,
      actorId: actor.userId,
      method: name,
      note: `Wallet top-up by ${name}`,
      meta: { topupId, provider: topup.provider, mode: topup.mode, paymentReference: topup.paymentReference },
    });
    await settleReceivable(tx, topup.userId, { cause: `release:${suspended.transferId}`, actorId: actor.userId });
    return { amountCents };
  });
}
