import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import { providerModes } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { formatUsd } from '@/lib/money';
import { ProviderRefusal } from '@/lib/payments/providers/provider';
import { batchNotFoundError } from '@/lib/payouts/batches';
import { lockPayouts, movePayout, payoutNotFoundError, requireApproved } from '@/lib/payouts/move-payout';
import { getNetCents } from '@/lib/payouts/postings';
import { recordAudit } from '@/lib/platform/audit/record';
import { applyPayoutEvidence } from './apply-evidence';
import { openPayoutRail, openReceivers } from './rail';
import { isTooOldToSend } from './run-batches';

/**
 * Puts approved payouts to PayPal accounts into a batch, which the job `run-payout-batches` sends, and moves them to
 * `sent`. Nothing is requested from PayPal here, so a batch exists before its first request. A payout is in one batch at
 * most.
 * @throws AppError not_configured without PayPal; not_found; conflict for a payout that is not an approved one to PayPal;
 * forbidden for the actor's own payout. Nothing is sent then.
 */
export async function sendWithPaypal(actor: Actor, { ids }: { ids: readonly string[] }): Promise<{ id: string }> {
  const { mode, account } = await openPayoutRail();
  return db().transaction(async (tx) => {
    const rows = await lockPayouts(tx, ids);
    for (const payout of rows) {
      requireNotOwn(actor, payout.sellerId, 'send your own payout');
      requireApproved(payout, { kind: 'paypal', target: 'a PayPal account', done: 'sent' });
    }
    // Refuses unreadable addresses before the payouts move.
    await openReceivers(tx, rows);
    const id = newId();
    const totalCents = rows.reduce((sum, payout) => sum + getNetCents(payout), 0);
    await tx.insert(payoutBatches).values({
      id,
      kind: 'paypal',
      mode,
      payer: { clientId: account },
      payoutCount: rows.length,
      totalCents,
      nextActionAt: sql`now()`,
      createdBy: actor.userId,
    });
    await recordAudit(tx, actor, {
      action: 'payout_batch.created',
      details: `${rows.length === 1 ? '1 payout' : `${rows.length} payouts`} of ${formatUsd(totalCents)} are sent with PayPal.`,
      entityType: 'payout_batch',
      entityId: id,
      amountCents: totalCents,
    });
    const step = { to: 'sent', what: 'was put into a batch for PayPal', change: { batchId: id } } as const;
    for (const payout of rows) await movePayout(tx, actor, payout, step);
    return { id };
  });
}

/**
 * Makes a batch of PayPal payouts due now: the job sends it again or reads it.
 * @throws AppError not_found for another batch, conflict for one that PayPal refused, or that is too old to be sent
 */
export const retryPayoutBatch = (actor: Actor, id: string): Promise<void> =>
  db().transaction(async (tx) => {
    const [batch] = await tx.select().from(payoutBatches).where(eq(payoutBatches.id, id)).for('no key update');
    if (batch?.kind !== 'paypal') throw batchNotFoundError();
    if (batch.providerReference === null && (batch.nextActionAt === null || isTooOldToSend(batch))) {
      throw new AppError('conflict', 'This batch is over and is not sent again.');
    }
    await tx.update(payoutBatches).set({ nextActionAt: sql`now()` }).where(eq(payoutBatches.id, id));
    await recordAudit(tx, actor, {
      action: 'payout_batch.retried',
      details: 'A batch of PayPal payouts was tried again.',
      entityType: 'payout_batch',
      entityId: id,
    });
  });

/**
 * Cancels a payout that its recipient has not claimed at PayPal. Its amount returns to the seller's balance. The
 * attempt is in the audit log before the request, and a repeat is harmless.
 * @throws AppError not_found; forbidden for the actor's own payout; conflict for a payout that is not unclaimed, also by
 * PayPal's own state; provider_failed when PayPal does not respond
 */
export async function cancelUnclaimedPayout(actor: Actor, id: string): Promise<void> {
  const { payout, mode } = await db().transaction(async (tx) => {
    const [found] = await tx
      .select({ payout: payouts, mode: payoutBatches.mode })
      .from(payouts)
      .innerJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
      .where(eq(payouts.id, id));
    if (!found) throw payoutNotFoundError();
    requireNotOwn(actor, found.payout.sellerId, 'cancel your own payout');
    if (found.payout.state !== 'sent' || found.payout.providerStatus !== 'UNCLAIMED') {
      throw new AppError('conflict', 'Only a payout that waits for its recipient at PayPal can be canceled.');
    }
    await recordAudit(tx, actor, {
      action: 'payout.cancel_requested',
      details: `The unclaimed payout of ${formatUsd(found.payout.amountCents)} is canceled at PayPal.`,
      entityType: 'payout',
      entityId: id,
      amountCents: found.payout.amountCents,
    });
    return found;
  });
  const rail = await openPayoutRail(providerModes.find((one) => one === mode));
  try {
    await applyPayoutEvidence(actor, id, await rail.cancelUnclaimed(payout.providerReference ?? ''));
  } catch (thrown) {
    if (!(thrown instanceof ProviderRefusal) || thrown.httpStatus >= 500) throw thrown;
    throw new AppError('conflict', `PayPal did not cancel the payout (${thrown.reason}). Reload the page in a minute.`);
  }
}
