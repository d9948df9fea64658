import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { disputeProposals } from '@/db/schema/disputes';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { settlePlacement } from '@/lib/orders/placements/settle';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { lockDispute, requireParty } from './lock';
import { getDispute } from './queries';
import { type DisputeView, disputeView } from './views';

/**
 * Accepts the other side's proposal, which settles the dispute.
 * @param number the proposal's number, from 1
 * @throws AppError not_found, forbidden for staff, conflict for the own proposal, for one that a newer proposal of its side
 * replaced, for a dispute that ended and for a stale `version`
 */
export async function acceptProposal(actor: Actor, id: string, number: number, version?: number): Promise<DisputeView> {
  const reader = await db().transaction(async (tx) => {
    const { dispute, locked, side } = await lockDispute(tx, actor, id);
    const role = requireParty(side);
    const made = await tx.select().from(disputeProposals).where(eq(disputeProposals.disputeId, id));
    const proposal = made.find((one) => one.number === number);
    if (!proposal) throw new AppError('not_found', `Proposal ${number} does not exist.`);
    if (proposal.role === role) {
      throw new AppError('conflict', 'This is your own proposal. Only the other side can accept it.');
    }
    const newer = made.find((one) => one.role === proposal.role && one.number > number);
    if (newer) throw new AppError('conflict', `Proposal ${number} was replaced by a newer one. Reload the dispute.`);
    requireVersion(dispute, version, `The dispute of order #${dispute.orderId}`);
    await tx
      .update(disputeProposals)
      .set({ acceptedAt: locked.now })
      .where(and(eq(disputeProposals.disputeId, id), eq(disputeProposals.number, number)));
    await settlePlacement(tx, actor, locked, {
      buyerPercent: proposal.buyerPercent,
      role,
      outcome: 'agreed',
    });
    return role;
  });
  return disputeView(await getDispute(id), reader);
}
