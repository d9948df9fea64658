import { desc, eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { disputeProposals, disputes } from '@/db/schema/disputes';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { addDays } from '@/lib/orders/placements/clocks';
import { movePlacement } from '@/lib/orders/placements/move';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { getPlacementRules } from '@/lib/settings/placement-rules';
import { lockDispute, requireParty } from './lock';
import { getDispute } from './queries';
import type { ProposeInput } from './schemas';
import { type DisputeView, disputeView } from './views';

/**
 * Proposes the share of the charge that returns to the buyer. It replaces an earlier proposal of the same side, and counts
 * as accepted if the other side does not answer within the `silenceDays` of the placement rules. Repeating the newest
 * proposal changes nothing.
 * @throws AppError not_found, forbidden for staff, conflict for a dispute that ended or a stale `version`
 */
export async function proposeSettlement(
  actor: Actor,
  id: string,
  { buyerPercent, version }: ProposeInput,
): Promise<DisputeView> {
  const reader = await db().transaction(async (tx) => {
    const { dispute, locked, side } = await lockDispute(tx, actor, id);
    const role = requireParty(side);
    const newest = await findNewestProposal(tx, id);
    if (newest?.role === role && newest.buyerPercent === buyerPercent) return role;
    requireVersion(dispute, version, `The dispute of order #${dispute.orderId}`);
    const { silenceDays } = await getPlacementRules(tx);
    await tx.insert(disputeProposals).values({
      id: newId(),
      disputeId: id,
      number: (newest?.number ?? 0) + 1,
      madeBy: actor.userId,
      role,
      buyerPercent,
    });
    const silenceDueAt = addDays(locked.now, silenceDays);
    await tx
      .update(disputes)
      .set({ silenceDueAt, nextActionAt: silenceDueAt, clockRetries: 0, version: dispute.version + 1 })
      .where(eq(disputes.id, id));
    await movePlacement(tx, actor, locked, {
      action: 'proposal_made',
      role,
      note: `The ${role} proposes that ${buyerPercent}% of the charge returns to the buyer. Without an answer within ${silenceDays} ${silenceDays === 1 ? 'day' : 'days'}, the proposal counts as accepted.`,
    });
    return role;
  });
  return disputeView(await getDispute(id), reader);
}

async function findNewestProposal(tx: Executor, disputeId: string) {
  const [newest] = await tx
    .select()
    .from(disputeProposals)
    .where(eq(disputeProposals.disputeId, disputeId))
    .orderBy(desc(disputeProposals.number))
    .limit(1);
  return newest;
}
