import { db } from '@/db/client';
import { disputes } from '@/db/schema/disputes';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { type LockedPlacement, lockPlacement, movePlacement } from '@/lib/orders/placements/move';
import { formatState } from '@/lib/orders/placements/states';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { getDispute } from './queries';
import { formatDisputeReason, isReasonOf } from './reasons';
import type { OpenDisputeInput } from './schemas';
import { type DisputeView, disputeView } from './views';

/**
 * Opens a dispute about a placement, whose clocks then stand still. The buyer disputes a delivery, a revision or an
 * approved placement; the seller disputes a revision.
 * @throws AppError not_found for an order of another user; conflict in another state or for a stale `version`;
 * invalid_input for a reason of the other side
 */
export async function openDispute(
  actor: Actor,
  orderId: number,
  side: 'buyer' | 'seller',
  { reason, text, version }: OpenDisputeInput,
): Promise<DisputeView> {
  const id = newId();
  await db().transaction(async (tx) => {
    const own = side === 'buyer' ? { buyerId: actor.userId } : { sellerId: actor.userId };
    const locked = await lockPlacement(tx, orderId, own);
    if (!isReasonOf(side, reason)) {
      const message = `The ${side} cannot choose this reason.`;
      throw new AppError('invalid_input', message, { fields: { reason: message } });
    }
    requireVersion(locked.placement, version, `Order #${orderId}`);
    if (side === 'seller') requireRevision(locked);
    const { state, sellerCents, marginCents, sellerReturnedCents, marginReturnedCents } = locked.placement;
    await movePlacement(tx, actor, locked, {
      action: 'disputed',
      role: side,
      reason: formatDisputeReason(reason),
      note: text,
    });
    await tx.insert(disputes).values({
      id,
      orderId,
      openedBy: actor.userId,
      role: side,
      reason,
      text,
      fromState: state,
      amountCents: sellerCents + marginCents - sellerReturnedCents - marginReturnedCents,
    });
  });
  return disputeView(await getDispute(id), side);
}

/** @throws AppError conflict */
function requireRevision({ placement: { orderId, state } }: LockedPlacement): void {
  if (state === 'in_revision') return;
  throw new AppError(
    'conflict',
    `Order #${orderId} is ${formatState(state)}: you can dispute only a requested change.`,
  );
}
