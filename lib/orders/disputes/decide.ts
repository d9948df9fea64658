import { db, type Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { exceedsApprovalLimit } from '@/lib/approvals/limit';
import { type Approval, ApprovalRequired, requireNotOwn, withApproval } from '@/lib/approvals/request';
import { formatUsd } from '@/lib/money';
import { getSettlementCents, settlePlacement } from '@/lib/orders/placements/review';
import { splitSettlement } from '@/lib/orders/placements/shares';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { type AdminDisputeView, adminDisputeView, type DecideInput } from './contract';
import { type LockedDispute, lockOpenDispute } from './lock';
import { getDispute } from './queries';

/**
 * Decides a dispute on behalf of staff: settles the placement with a share for the buyer.
 * @throws AppError not_found, forbidden for the buyer and the seller of the order, conflict for a dispute that ended, a
 * stale `version`, and a decision that was submitted for approval
 */
export async function decideDispute(actor: Actor, id: string, input: DecideInput): Promise<AdminDisputeView> {
  const decide = () => db().transaction((tx) => decideDisputeIn(tx, actor, id, input));
  await withApproval(actor, decide, ['decision', 'the dispute stays open']);
  return adminDisputeView(await getDispute(id));
}

/**
 * Decides a dispute inside the caller's transaction.
 * @param approval the approved request of the decision
 * @throws ApprovalRequired for a return to the buyer above the approval limit
 */
export async function decideDisputeIn(
  tx: Executor,
  actor: Actor,
  id: string,
  { buyerPercent, note, version }: DecideInput,
  approval?: Approval,
): Promise<void> {
  const known = await getDispute(id, tx);
  requireNotOwn(actor, known.buyerId, 'decide a dispute of your own order');
  requireNotOwn(actor, known.sellerId, 'decide a dispute of your own site');
  const { dispute, locked } = await lockOpenDispute(tx, known);
  requireVersion(dispute, version, `The dispute of order #${dispute.orderId}`);
  if (!approval) await requireWithinLimit(tx, actor, { dispute, locked }, { buyerPercent, note });
  await recordAudit(tx, actor, {
    action: 'dispute.decided',
    details: `The dispute of order #${dispute.orderId} was decided: ${describeSplit(locked, buyerPercent)}`,
    entityType: 'dispute',
    entityId: id,
    before: { state: dispute.state, placement: locked.placement.state },
    after: { state: 'settled', buyerPercent, note },
  });
  await settlePlacement(tx, actor, locked, { buyerPercent, role: 'staff', outcome: 'decided', note, approval });
}

/** Requires that the decision is within the actor's limit. @throws ApprovalRequired */
async function requireWithinLimit(
  tx: Executor,
  actor: Actor,
  { dispute, locked }: Omit<LockedDispute, 'side'>,
  { buyerPercent, note }: Pick<DecideInput, 'buyerPercent' | 'note'>,
): Promise<void> {
  const buyerCents = await getSettlementCents(tx, actor, locked, { buyerPercent });
  const { userId } = locked.order;
  if (buyerCents === 0 || !(await exceedsApprovalLimit(tx, actor, 'order_refund', buyerCents, userId))) return;
  throw new ApprovalRequired({
    kind: 'dispute_decision',
    subject: `order:${dispute.orderId}`,
    payload: { disputeId: dispute.id, buyerPercent, note },
    summary: `Decide the dispute of order #${dispute.orderId}: ${describeSplit(locked, buyerPercent)}`,
    amountCents: buyerCents,
    beneficiaryId: userId,
  });
}

function describeSplit({ placement }: LockedDispute['locked'], buyerPercent: number): string {
  const { buyerCents, sellerCents, marginCents } = splitSettlement(placement, buyerPercent);
  return `${buyerPercent}% returns to the buyer: ${formatUsd(buyerCents)} to the buyer, ${formatUsd(sellerCents)} to the seller, ${formatUsd(marginCents)} kept.`;
}
