import type { Executor } from '@/db/client';
import type { PlacementRole } from '@/db/schema/placements';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { acceptLink } from '@/lib/links/watches';
import { getPlacementRules } from '@/lib/settings/placement-rules';
import { type LockedPlacement, movePlacement, requireState } from './move';
import type { RevisionInput } from './schemas';

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
  const { maxRevisions } = await getPlacementRules(tx);
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
