import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { disputes } from '@/db/schema/disputes';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { movePlacement } from '@/lib/orders/placements/move';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { lockDispute, requireParty } from './lock';
import { getDispute } from './queries';
import { type DisputeView, disputeView } from './views';

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
