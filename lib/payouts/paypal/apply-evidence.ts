import { eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { payouts } from '@/db/schema/payouts';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { formatMoney, formatUsd, walletCurrency } from '@/lib/money';
import type { PayoutEvidence } from '@/lib/payments/providers/provider';
import { lockPayout, movePayout } from '@/lib/payouts/move-payout';
import { getNetCents, type Payout } from '@/lib/payouts/postings';

/**
 * Records what PayPal states about a payout of a batch, under the payout's lock. Statements arrive in any order and
 * repeatedly: a decided payout only changes from paid to returned.
 * @throws AppError conflict when PayPal states another payment than the payout, a fee in another currency, or that it
 * paid one whose amount is in the seller's balance again; nothing changes then
 */
export const applyPayoutEvidence = (actor: AnyActor, id: string, evidence: PayoutEvidence): Promise<void> =>
  db().transaction(async (tx) => {
    const payout = await lockPayout(tx, id);
    requireSamePayout(payout, evidence);
    await applyTo(tx, actor, payout, evidence);
  });

async function applyTo(tx: Executor, actor: AnyActor, payout: Payout, evidence: PayoutEvidence): Promise<void> {
  const { outcome, reason, feeCents, status } = evidence;
  const isUndone = outcome === 'failed' || outcome === 'returned';
  const known = { providerReference: evidence.reference, providerStatus: status };
  if (payout.state === 'sent') {
    if (outcome === 'open' || outcome === 'unclaimed') return storeProgress(tx, payout, evidence);
    const providerFeeCents = outcome === 'failed' ? 0 : feeCents;
    if (providerFeeCents === null) {
      throw new AppError(
        'conflict',
        `PayPal charged the fee of the payout ${payout.id} in another currency than ${walletCurrency}. Check it at PayPal.`,
      );
    }
    await movePayout(tx, actor, payout, {
      to: outcome,
      what:
        outcome === 'paid' ? 'was paid by PayPal' : `${outcome === 'failed' ? 'failed' : 'was returned'}: ${reason}`,
      change: {
        ...known,
        // A return has a transaction of its own; the statement is matched by the one that paid.
        providerTransactionId: payout.providerTransactionId ?? evidence.transactionId,
        providerFeeCents,
        ...(outcome === 'paid' ? { reference: evidence.transactionId ?? evidence.reference, reason: '' } : { reason }),
      },
    });
    return;
  }
  if (payout.state === 'paid' && isUndone) {
    await movePayout(tx, actor, payout, {
      to: 'returned',
      what: `was returned by PayPal: ${reason}`,
      change: { ...known, reason },
    });
    return;
  }
  if (outcome === 'paid' && payout.state !== 'paid') {
    throw new AppError(
      'conflict',
      `PayPal paid the payout ${payout.id}, whose amount is in the seller’s balance again. Check it at PayPal.`,
    );
  }
}

/** @throws AppError conflict */
function requireSamePayout(payout: Payout, evidence: PayoutEvidence): void {
  const { id, providerReference } = payout;
  const { payoutId, amountMinor, currency, reference } = evidence;
  const isSame = payoutId === id && payout.methodKind === 'paypal' && payout.batchId !== null;
  if (!isSame || (providerReference !== null && providerReference !== reference)) {
    throw new AppError('conflict', `PayPal’s payout ${reference} is not the payout ${id}. Check it at PayPal.`);
  }
  const cents = getNetCents(payout);
  if (currency === walletCurrency && amountMinor === cents) return;
  throw new AppError(
    'conflict',
    `PayPal reports ${formatMoney(amountMinor, currency)} for the payout ${id}, which is ${formatUsd(cents)}. Check it at PayPal.`,
  );
}

async function storeProgress(tx: Executor, payout: Payout, evidence: PayoutEvidence): Promise<void> {
  const providerTransactionId = payout.providerTransactionId ?? evidence.transactionId;
  const { reference: providerReference, status: providerStatus, reason } = evidence;
  const isKnown =
    payout.providerStatus === providerStatus &&
    payout.providerReference === providerReference &&
    payout.providerTransactionId === providerTransactionId;
  if (isKnown) return;
  await tx
    .update(payouts)
    .set({
      providerReference,
      providerStatus,
      providerTransactionId,
      reason,
      version: sql`${payouts.version} + 1`,
    })
    .where(eq(payouts.id, payout.id));
}
