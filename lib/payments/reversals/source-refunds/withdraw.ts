import { db, type Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { rejectObsolete } from '@/lib/approvals/decide';
import { requireNotOwn } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { changeRefundIn, moveRefund, refundNotFoundError } from './move';
import { refundSubject, type SourceRefund } from './postings';

/**
 * Withdraws a request of the buyer before its approval.
 * @throws AppError not_found, also for the refund of another user, conflict after the approval
 */
export const withdrawRefund = (actor: Actor, id: string): Promise<SourceRefund> =>
  endRequest(actor, id, 'The buyer withdrew the request', async (tx, refund) => {
    if (refund.userId !== actor.userId) throw refundNotFoundError();
    requireRequested(refund, 'withdrawn');
    return moveRefund(tx, actor, refund, { to: 'withdrawn', what: 'was withdrawn by the buyer' });
  });

/**
 * Declines a request of a buyer. The money stays in the wallet, and the buyer reads the reason.
 * @throws AppError not_found, forbidden for the actor's own request, conflict for another state
 */
export const declineRefund = (actor: Actor, id: string, { reason }: { reason: string }): Promise<SourceRefund> =>
  endRequest(actor, id, 'The request of the buyer was declined', async (tx, refund) => {
    requireNotOwn(actor, refund.userId, 'decline your own refund');
    requireRequested(refund, 'declined');
    return moveRefund(tx, actor, refund, {
      to: 'declined',
      what: `was declined: ${reason}`,
      change: { answer: reason, declinedBy: actor.userId },
    });
  });

/** Changes a refund that will not be made, and rejects the request for its approval by a second person, if any. */
const endRequest = (
  actor: Actor,
  id: string,
  why: string,
  change: (tx: Executor, refund: SourceRefund) => Promise<SourceRefund>,
): Promise<SourceRefund> =>
  db().transaction(async (tx) => {
    await rejectObsolete(tx, actor, refundSubject(id), why);
    return changeRefundIn(tx, id, change);
  });

function requireRequested({ state }: SourceRefund, verb: string): void {
  if (state === 'requested') return;
  const why = state === 'processing' ? 'in progress at the payment provider' : state;
  throw new AppError('conflict', `This refund is ${why} and can no longer be ${verb}.`);
}
