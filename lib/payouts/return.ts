import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { type Approval, type ApprovalRequest, requestApproval, requireNotOwn } from '@/lib/approvals/request';
import type { ApprovalPayloads } from '@/lib/approvals/schemas';
import { AppError } from '@/lib/errors';
import { formatUsd } from '@/lib/money';
import { type Marking, requireCurrent, requireNotAtProvider } from './mark';
import { isReturnable, lockPayout, movePayout, type Returnable } from './move-payout';
import type { Payout } from './postings';

/** Returns the subject of the approval of a payout's return. */
export const getReturnSubject = (payoutId: string): string => `payout-return:${payoutId}`;

/**
 * Requests that a payout that was sent or paid is recorded as returned, which a second person must approve: otherwise
 * one person could pay a seller twice.
 * @throws AppError not_found, forbidden for the actor's own payout, conflict for another state, a stale `version`, or
 * when no other user can approve it
 */
export async function requestPayoutReturn(
  actor: Actor,
  id: string,
  { reason, version }: Marking<'reason'>,
): Promise<Approval> {
  const request = await db().transaction(async (tx) => {
    const payout = await lockPayout(tx, id);
    requireNotOwn(actor, payout.sellerId, 'change your own payout');
    requireCurrent(payout, version);
    await requireNotAtProvider(tx, payout);
    return describeReturn(tx, requireReturnable(payout), reason);
  });
  return requestApproval(actor, request);
}

/** Describes a return for its approval by a second person. */
export async function describeReturn(
  tx: Executor,
  { id, sellerId, amountCents, state }: Returnable,
  reason: string,
): Promise<ApprovalRequest> {
  const [seller] = await tx.select({ email: users.email }).from(users).where(eq(users.id, sellerId));
  const what = state === 'paid' ? 'was paid and returned' : 'was sent and not executed';
  return {
    kind: 'payout_return',
    subject: getReturnSubject(id),
    payload: { payoutId: id, state, reason },
    summary: `Return ${formatUsd(amountCents)} to the balance of ${seller?.email ?? sellerId}: the payout ${id} ${what}. Reason: “${reason}”.`,
    amountCents,
    beneficiaryId: sellerId,
  };
}

/**
 * Records the return of a payout, in the transaction of its approval.
 * @throws AppError not_found, conflict when the state of the payout changed after the request
 */
export async function returnApprovedPayout(
  tx: Transaction,
  actor: Actor,
  { payoutId, state, reason }: ApprovalPayloads['payout_return'],
): Promise<void> {
  const payout = requireReturnable(await lockPayout(tx, payoutId));
  await requireNotAtProvider(tx, payout);
  if (payout.state !== state) throw new AppError('conflict', `This payout is now ${payout.state}. Reject the request.`);
  await returnPayout(tx, actor, payout, { reason, what: 'was returned with the approval of a second person' });
}

/** Moves a payout that was sent or paid, and its whole amount, back to the seller's balance. Call it last. */
export const returnPayout = (
  tx: Executor,
  actor: Actor,
  payout: Returnable,
  { reason, what }: { reason: string; what: string },
): Promise<Payout> =>
  movePayout(tx, actor, payout, {
    to: payout.state === 'paid' ? 'returned' : 'failed',
    what: `${what}: ${reason}`,
    change: { reason },
  });

function requireReturnable(payout: Payout): Returnable {
  if (isReturnable(payout)) return payout;
  throw new AppError(
    'conflict',
    `This payout is ${payout.state}. Only a payout that was sent or paid can be returned.`,
  );
}
