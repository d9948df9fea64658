import { db, type Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { exceedsApprovalLimit } from '@/lib/approvals/limit';
import {
  type Approval,
  ApprovalRequired,
  requireNotOwn,
  requireOthersAccount,
  withApproval,
} from '@/lib/approvals/request';
import { formatUsd } from '@/lib/money';
import { getSettlementCents, settlePlacement } from '@/lib/orders/placements/review';
import { splitSettlement } from '@/lib/orders/placements/shares';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { type AdminDisputeView, adminDisputeView, type DecideInput, type DisputeRow } from './contract';
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
  await requireOthersAccount(tx, actor, known.buyerId, 'decide a dispute of your own order');
  requireNotOwn(actor, known.sellerId, 'decide a dispute of your own site');
  const { dispute, locked } = await lockOpenDispute(tx, known);
  requireVersion(dispute, version, `The dispute of order #${dispute.orderId}`);
  const buyerCents = await getSettlementCents(tx, actor, locked, { buyerPercent });
  const split = describeSplit(locked, buyerPercent, buyerCents);
  if (!approval) await requireWithinLimit(tx, actor, { known, buyerCents, split }, { buyerPercent, note });
  await recordAudit(tx, actor, {
    action: 'dispute.decided',
    details: `The dispute of order #${dispute.orderId} was decided: ${split}`,
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
  { known, buyerCents, split }: { known: DisputeRow; buyerCents: number; split: string },
  { buyerPercent, note }: Pick<DecideInput, 'buyerPercent' | 'note'>,
): Promise<void> {
  const { id, orderId, buyerId } = known;
  if (buyerCents === 0 || !(await exceedsApprovalLimit(tx, actor, 'order_refund', buyerCents, buyerId))) return;
  throw new ApprovalRequired({
    kind: 'dispute_decision',
    subject: `order:${orderId}`,
    payload: { disputeId: id, buyerPercent, note },
    summary: `Decide the dispute of order #${orderId}: ${split}`,
    amountCents: buyerCents,
    beneficiaryId: buyerId,
  });
}

/** @param buyerCents what returns to the buyer, with tax */
function describeSplit({ placement }: LockedDispute['locked'], buyerPercent: number, buyerCents: number): string {
  const { sellerCents, marginCents } = splitSettlement(placement, buyerPercent);
  return `${buyerPercent}% returns to the buyer: ${formatUsd(buyerCents)} to the buyer, ${formatUsd(sellerCents)} to the seller, ${formatUsd(marginCents)} kept.`;
}
