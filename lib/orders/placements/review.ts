import type { Executor } from '@/db/client';
import type { PlacementRole } from '@/db/schema/placements';
import type { Actor, AnyActor } from '@/lib/access/actor';
import type { Approval } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { acceptLink } from '@/lib/links/watches';
import { formatState, mayBuyerCancel } from '@/lib/orders/contract';
import type { LockedPlacement } from './lock';
import { requireRefundAllowed } from './refund-approval';
import type { RevisionInput } from './schemas';
import { movePlacement, requireState } from './transition';

type ApprovalOfDelivery = {
  role: PlacementRole;
  /** The address that staff set instead of the delivered one. */
  url?: string | undefined;
  isPartOfSave?: boolean;
};

/**
 * Approves a delivery: the seller earns the seller's share, and the delivered address becomes the order's live link. A
 * link with another `rel` or text than ordered is accepted as it is.
 * @throws AppError conflict in another state
 */
export async function approveDelivery(
  tx: Executor,
  actor: AnyActor,
  locked: LockedPlacement,
  { url, ...step }: ApprovalOfDelivery,
): Promise<LockedPlacement> {
  requireState(locked, 'approved');
  if (!url) await acceptLink(tx, locked.order.id);
  return movePlacement(tx, actor, locked, { ...step, action: 'approved', ...(url && { set: { deliveredUrl: url } }) });
}

/**
 * Sends a delivery back to the seller with a requested change, as often as the rules allow.
 * @throws AppError conflict in another state and when all changes were used
 */
export async function requestRevision(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { reason, text = '' }: Pick<RevisionInput, 'reason' | 'text'>,
): Promise<LockedPlacement> {
  requireState(locked, 'revision_requested');
  const { orderId, revisionsUsed } = locked.placement;
  const { maxRevisions } = locked.rules;
  if (revisionsUsed >= maxRevisions) {
    throw new AppError(
      'conflict',
      `Order #${orderId} is delivered: all ${maxRevisions} changes were requested. Approve it or open a dispute.`,
    );
  }
  return movePlacement(tx, actor, locked, {
    action: 'revision_requested',
    role: 'buyer',
    reason,
    note: text,
    set: { revisionsUsed: revisionsUsed + 1 },
  });
}

type Cancellation = {
  role: 'buyer' | 'staff' | 'system';
  reason?: string | undefined;
  /** The comment that staff save with it. */
  adminComments?: string | undefined;
  approval?: Approval | undefined;
  isPartOfSave?: boolean;
};

/**
 * Cancels a placement: the charge returns to the buyer. The buyer can cancel before the seller accepts, when the delivery
 * is late, and when the seller agreed; staff can until the delivery is approved.
 * @throws AppError conflict in another state
 * @throws ApprovalRequired when staff cancel and the charge is above the approval limit
 */
export async function cancelPlacement(
  tx: Executor,
  actor: AnyActor,
  locked: LockedPlacement,
  { role, reason = '', adminComments, approval, isPartOfSave }: Cancellation,
): Promise<LockedPlacement> {
  requireState(locked, 'cancelled');
  const { order, placement, now } = locked;
  if (role === 'buyer' && !mayBuyerCancel(placement, now)) {
    throw new AppError(
      'conflict',
      `Order #${order.id} is ${formatState(placement.state)}: you can cancel it only if the delivery is late or the seller agrees.`,
    );
  }
  if (role === 'staff' && actor.userId !== null)
    await requireRefundAllowed(tx, actor, order, {
      amountCents: order.chargedCents,
      isRejection: false,
      adminComments,
      reason,
      placementState: placement.state,
      approval,
    });
  return movePlacement(tx, actor, locked, { action: 'cancelled', role, reason, approval, isPartOfSave });
}

/**
 * Agrees to a cancellation on behalf of the seller. The buyer can then cancel until the delivery.
 * @throws AppError conflict in another state and for a second agreement
 */
export async function releasePlacement(tx: Executor, actor: Actor, locked: LockedPlacement): Promise<LockedPlacement> {
  requireState(locked, 'released');
  if (locked.placement.releasedAt !== null)
    throw new AppError('conflict', `You already agreed to a cancellation of order #${locked.order.id}.`);
  return movePlacement(tx, actor, locked, { action: 'released', role: 'seller', set: { releasedAt: locked.now } });
}
