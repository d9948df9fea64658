import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { requireRefundAllowed } from '@/lib/orders/refund-approval';
import { type LockedPlacement, movePlacement, requireState, type Step } from './move';

type Acceptance = Pick<Step, 'role' | 'isIntermediate' | 'isPartOfSave'>;

/**
 * Accepts an offer. The delivery is due after the site's turnaround and the days of grace.
 * @throws AppError conflict in another state
 */
export const acceptOffer = (
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  acceptance: Acceptance,
): Promise<LockedPlacement> => movePlacement(tx, actor, locked, { ...acceptance, action: 'accepted' });

type Refusal = Pick<Step, 'role' | 'approval' | 'isPartOfSave'> & {
  reason?: string | undefined;
  /** The comment that staff save with it. */
  adminComments?: string | undefined;
};

/**
 * Declines an offer: the charge returns to the buyer.
 * @throws AppError conflict in another state
 * @throws ApprovalRequired when staff decline and the charge is above the approval limit
 */
export async function declineOffer(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { role, reason = '', adminComments, approval, isPartOfSave }: Refusal,
): Promise<LockedPlacement> {
  requireState(locked, 'declined');
  const { order } = locked;
  if (role === 'staff')
    await requireRefundAllowed(tx, actor, order, {
      amountCents: order.chargedCents,
      isRejection: true,
      adminComments,
      reason,
      placementState: locked.placement.state,
      approval,
    });
  return movePlacement(tx, actor, locked, { action: 'declined', role, reason, approval, isPartOfSave });
}
