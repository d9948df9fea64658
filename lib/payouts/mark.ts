import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { payoutBatches } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { isAtProvider } from './batches';
import type { MarkFailedInput, MarkPaidInput } from './contract';
import { changePayout, movePayout } from './move-payout';
import type { Payout } from './postings';

/**
 * Records that an approved payout was paid: by hand, or by a bank file. A payout that was sent by PayPal is recorded by
 * PayPal's own answers, unless PayPal never confirmed its batch, or the batch is no longer read.
 * @throws AppError not_found, forbidden for the actor's own payout, conflict for another state
 */
export const markPayoutPaid = (actor: Actor, id: string, { reference }: MarkPaidInput): Promise<Payout> =>
  changePayout(id, async (tx, payout) => {
    requireNotOwn(actor, payout.sellerId, 'mark your own payout as paid');
    if (payout.state === 'requested') throw new AppError('conflict', 'Approve this payout before you mark it as paid.');
    await requireNotAtProvider(tx, payout);
    return movePayout(tx, actor, payout, {
      to: 'paid',
      what: `was marked as paid${reference ? ` with the reference ${reference}` : ''}`,
      change: { reference },
    });
  });

/**
 * Records that a payout failed, or was returned after it was paid. The amount and the fee return to the seller's
 * balance.
 * @throws AppError not_found, forbidden for the actor's own payout, conflict for another state
 */
export const markPayoutFailed = (actor: Actor, id: string, { reason }: MarkFailedInput): Promise<Payout> =>
  changePayout(id, async (tx, payout) => {
    requireNotOwn(actor, payout.sellerId, 'change your own payout');
    await requireNotAtProvider(tx, payout);
    const isPaid = payout.state === 'paid';
    return movePayout(tx, actor, payout, {
      to: isPaid ? 'returned' : 'failed',
      what: `${isPaid ? 'was returned' : payout.state === 'requested' ? 'was declined' : 'failed'}: ${reason}`,
      change: { reason },
    });
  });

/** @throws AppError conflict for a payout that PayPal sent or may send: PayPal reports what becomes of it */
async function requireNotAtProvider(tx: Executor, { methodKind, batchId }: Payout): Promise<void> {
  if (methodKind !== 'paypal' || batchId === null) return;
  const [batch] = await tx
    .select({ id: payoutBatches.id })
    .from(payoutBatches)
    .where(and(eq(payoutBatches.id, batchId), isAtProvider))
    .for('no key update');
  if (batch) throw new AppError('conflict', 'This payout was sent to PayPal, which reports its result.');
}
