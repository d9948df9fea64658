import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { disputes } from '@/db/schema/disputes';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { formatState } from '@/lib/orders/contract';
import { type LockedPlacement, lockPlacement } from '@/lib/orders/placements/lock';
import { movePlacement } from '@/lib/orders/placements/transition';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { type DisputeView, disputeView, formatDisputeReason, isReasonOf, type OpenDisputeInput } from './contract';
import { lockDispute, requireParty } from './lock';
import { getDispute } from './queries';

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
    const own = side === 'buyer' ? { buyer: actor } : { sellerId: actor.userId };
    const locked = await lockPlacement(tx, orderId, own);
    if (!isReasonOf(side, reason)) {
      const message = `The ${side} cannot choose this reason.`;
      throw new AppError('invalid_input', message, { fields: { reason: message } });
    }
    requireVersion(locked.placement, version, `Order #${orderId}`);
    if (side === 'seller') requireRevision(locked);
    const { state, sellerCents, marginCents, sellerReturnedCents, marginReturnedCents } = locked.placement;
    const { taxCents } = locked.order;
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
      amountCents: sellerCents + marginCents - sellerReturnedCents - marginReturnedCents + taxCents,
    });
  });
  return disputeView(await getDispute(id), side);
}

/** Requires that a change was requested. @throws AppError conflict */
function requireRevision({ placement: { orderId, state } }: LockedPlacement): void {
  if (state === 'in_revision') return;
  throw new AppError(
    'conflict',
    `Order #${orderId} is ${formatState(state)}: you can dispute only a requested change.`,
  );
}

/**
 * Withdraws a dispute on behalf of the side that opened it. The placement returns to its state before the dispute, and
 * its clock goes on: due days move by the time that the dispute was open, so that a dispute gains no time.
 * @throws AppError not_found, forbidden for the other side and for staff, conflict for a dispute that ended or a stale `version`
 */
export async function withdrawDispute(actor: Actor, id: string, version?: number): Promise<DisputeView> {
  const reader = await db().transaction(async (tx) => {
    const { dispute, locked, side } = await lockDispute(tx, actor, id);
    const role = requireParty(side);
    if (dispute.role !== role)
      throw new AppError('forbidden', 'Only the side that opened the dispute can withdraw it.');
    requireVersion(dispute, version, `The dispute of order #${dispute.orderId}`);
    const { deliveryDueAt, approveDueAt } = locked.placement;
    const openMs = locked.now.getTime() - dispute.createdAt.getTime();
    const moved = (at: Date | null) => at && new Date(at.getTime() + openMs);
    await movePlacement(tx, actor, locked, {
      action: 'dispute_withdrawn',
      role,
      to: dispute.fromState,
      set: { deliveryDueAt: moved(deliveryDueAt), approveDueAt: moved(approveDueAt) },
    });
    await tx
      .update(disputes)
      .set({
        state: 'withdrawn',
        outcome: 'withdrawn',
        decidedBy: actor.userId,
        decidedAt: locked.now,
        silenceDueAt: null,
        nextActionAt: null,
        version: dispute.version + 1,
      })
      .where(eq(disputes.id, id));
    return role;
  });
  return disputeView(await getDispute(id), reader);
}
