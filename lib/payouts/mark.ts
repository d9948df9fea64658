import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { payoutBatches } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { isAtProvider } from './batches';
import { changePayout, isReturnable, movePayout } from './move-payout';
import type { Payout } from './postings';

/** What a person enters about a payout, and the version that the person saw. */
export type Marking<Field extends string> = Record<Field, string> & { version?: number | undefined };

/**
 * Records that an approved payout was paid: by hand, or by a bank file. A payout that was sent by PayPal is recorded by
 * PayPal's own answers, unless PayPal never confirmed its batch, or the batch is no longer read.
 * @throws AppError not_found, forbidden for the actor's own payout, conflict for another state or a stale `version`
 */
export const markPayoutPaid = (actor: Actor, id: string, { reference, version }: Marking<'reference'>) =>
  changePayout(id, async (tx, payout) => {
    requireNotOwn(actor, payout.sellerId, 'mark your own payout as paid');
    requireCurrent(payout, version);
    if (payout.state === 'requested') throw new AppError('conflict', 'Approve this payout before you mark it as paid.');
    await requireNotAtProvider(tx, payout);
    return movePayout(tx, actor, payout, {
      to: 'paid',
      what: `was marked as paid${reference ? ` with the reference ${reference}` : ''}`,
      change: { reference },
    });
  });

/**
 * Declines a requested payout, or records that an approved one is not paid. The amount returns to the seller's balance.
 * One that was sent or paid is returned instead (return.ts): the bank may have executed it.
 * @throws AppError not_found, forbidden for the actor's own payout, conflict for another state or a stale `version`
 */
export const markPayoutFailed = (actor: Actor, id: string, { reason, version }: Marking<'reason'>) =>
  changePayout(id, async (tx, payout) => {
    requireNotOwn(actor, payout.sellerId, 'change your own payout');
    requireCurrent(payout, version);
    await requireNotAtProvider(tx, payout);
    if (isReturnable(payout)) {
      throw new AppError(
        'conflict',
        `This payout is ${payout.state}, so the money may have left. Upload the bank’s statement with its return, or request the return, which a second person approves.`,
      );
    }
    return movePayout(tx, actor, payout, {
      to: 'failed',
      what: `${payout.state === 'requested' ? 'was declined' : 'failed'}: ${reason}`,
      change: { reason },
    });
  });

/** @throws AppError conflict for a stale `version`, with the state that the payout has now */
export const requireCurrent = (payout: Payout, version: number | undefined): void =>
  requireVersion(payout, version, `This payout, which is now ${payout.state},`);

/** @throws AppError conflict for a payout that PayPal sent or may send: PayPal reports what becomes of it */
export async function requireNotAtProvider(tx: Executor, { methodKind, batchId }: Payout): Promise<void> {
  if (methodKind !== 'paypal' || batchId === null) return;
  const [batch] = await tx
    .select({ id: payoutBatches.id })
    .from(payoutBatches)
    .where(and(eq(payoutBatches.id, batchId), isAtProvider))
    .for('no key update');
  if (batch) throw new AppError('conflict', 'This payout was sent to PayPal, which reports its result.');
}
