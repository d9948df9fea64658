import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import type { Actor } from '../../access/actor';
import { requireNotOwn } from '../../approvals/request';
import { AppError } from '../../errors';
import { clearingOf, postTransfer, suspenseAccount, walletOf } from '../../ledger/post-transfer';
import { settleReceivable } from '../../ledger/receivables';
import { formatMoney, walletCurrency } from '../../money';
import { recordAudit } from '../../platform/audit/record';
import { providerNames } from '../providers/names';
import { listKeptApart } from './kept-apart';
import { lockMode } from './settle';

/**
 * An admin takes a payment that did not match its top-up as it came: what stands in suspense goes to the buyer's wallet,
 * and the top-up's amounts become what was paid, so that a later refund at the provider takes back exactly that. One in
 * another currency that came as it was quoted is credited with its quote.
 * @throws AppError not_found when nothing stands apart for it (any more), forbidden for the actor's own, conflict with the reason where it cannot be
 * the buyer's
 */
export async function acceptPayment(actor: Actor, topupId: string): Promise<{ amountCents: number }> {
  return db().transaction(async (tx) => {
    await lockMode(tx, topupId);
    const [topup] = await tx.select().from(topups).where(eq(topups.id, topupId)).for('no key update');
    const [apart, ...others] = topup ? await listKeptApart(topupId, tx) : [];
    if (!topup || !apart) throw new AppError('not_found', 'Nothing is kept apart for this top-up any more.');
    requireNotOwn(actor, topup.userId, 'accept a payment into your own wallet');
    if (apart.refusal !== null) throw new AppError('conflict', apart.refusal);
    if (others.length > 0) throw new AppError('conflict', 'Payments of several currencies are kept apart for it.');
    const amountCents = apart.creditCents;
    const isQuoted = apart.currency !== walletCurrency;
    const name = providerNames[topup.provider];
    const money = formatMoney(amountCents, walletCurrency);
    await tx
      .update(topups)
      .set({
        status: 'paid',
        // What came as it was quoted stays as it was asked.
        ...(!isQuoted && { amountCents, chargeAmountMinor: amountCents, chargeCurrency: walletCurrency }),
        reason: `${topup.reason ?? ''} Accepted as it came.`.trim(),
        paidAt: new Date(),
      })
      .where(eq(topups.id, topupId));
    await recordAudit(tx, actor, {
      action: 'topup.accepted',
      details:
        `${money} by ${name}, kept apart until now, credited to ${apart.user.email}. ${topup.reason ?? ''}`.trim(),
      entityType: 'topup',
      entityId: topupId,
      amountCents,
      before: { status: topup.status, amountCents: topup.amountCents },
      after: { status: 'paid', amountCents },
    });
    if (isQuoted) {
      // Wallets hold one currency: the payment is booked anew, as one that agreed with its quote at once.
      await postTransfer(tx, {
        key: `release:${apart.transferId}:undone`,
        kind: 'reversal',
        from: suspenseAccount,
        to: clearingOf(topup.provider),
        amountCents: apart.heldMinor,
        currency: apart.currency,
        reversesId: apart.transferId,
        actorId: actor.userId,
        method: name,
        note: 'Credited as it was quoted',
        meta: { topupId, provider: topup.provider, mode: topup.mode, paymentReference: topup.paymentReference },
      });
    }
    await postTransfer(tx, {
      // Named after the payment: it can be accepted once.
      key: `release:${apart.transferId}`,
      kind: 'topup',
      from: isQuoted ? clearingOf(topup.provider) : suspenseAccount,
      to: walletOf(topup.userId),
      amountCents,
      currency: walletCurrency,
      actorId: actor.userId,
      method: name,
      note: `Wallet top-up by ${name}`,
      meta: { topupId, provider: topup.provider, mode: topup.mode, paymentReference: topup.paymentReference },
    });
    await settleReceivable(tx, topup.userId, { cause: `release:${apart.transferId}`, actorId: actor.userId });
    return { amountCents };
  });
}
