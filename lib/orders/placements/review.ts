import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { type disputeOutcomes, disputes } from '@/db/schema/disputes';
import { orders } from '@/db/schema/orders';
import { type PlacementRole, placements } from '@/db/schema/placements';
import type { Actor, AnyActor } from '@/lib/access/actor';
import type { Approval } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { acceptLink } from '@/lib/links/watches';
import { canBuyerCancel, formatState, transitions } from '@/lib/orders/contract';
import { getReturnedTaxCents } from '@/lib/orders/tax/plan-returns';
import { findPlacement, type LockedPlacement } from './lock';
import { requireRefundAllowed } from './refund-approval';
import type { RevisionInput } from './schemas';
import { planMoney } from './transfers';
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
  if (role === 'buyer' && !canBuyerCancel(placement, now)) {
    throw new AppError(
      'conflict',
      `Order #${order.id} is ${formatState(placement.state)}: you can cancel it only if the delivery is late or the seller agrees.`,
    );
  }
  if (role === 'staff' && actor.userId !== null)
    await requireRefundAllowed(tx, actor, order, {
      amountCents: order.chargedCents + order.taxCents,
      isRejection: false,
      adminComments,
      reason,
      placementState: placement.state,
      approval,
    });
  return movePlacement(tx, actor, locked, { action: 'cancelled', role, reason, approval, isPartOfSave });
}

type Settlement = {
  /** The share of the charge that returns to the buyer: an integer from 0 to 100. */
  buyerPercent: number;
  /** The side for which the actor acts. */
  role: PlacementRole;
  outcome: Exclude<(typeof disputeOutcomes)[number], 'withdrawn'>;
  /** The reasons, for the buyer and the seller. */
  note?: string;
  approval?: Approval | undefined;
  isPartOfSave?: boolean;
};

/**
 * Ends a placement by a share for the buyer, and its open dispute if there is one.
 * @throws AppError conflict unless it is disputed or approved
 */
export async function settlePlacement(
  tx: Executor,
  actor: AnyActor,
  locked: LockedPlacement,
  { outcome, ...settlement }: Settlement,
): Promise<LockedPlacement> {
  const { buyerPercent, note = '' } = settlement;
  const returnedCents = await getSettlementCents(tx, actor, locked, settlement);
  await tx
    .update(disputes)
    .set({
      state: 'settled',
      outcome,
      buyerPercent,
      note,
      returnedCents,
      decidedBy: actor.userId,
      decidedAt: locked.now,
      silenceDueAt: null,
      nextActionAt: null,
      version: sql`${disputes.version} + 1`,
    })
    .where(and(eq(disputes.orderId, locked.order.id), eq(disputes.state, 'open')));
  return movePlacement(tx, actor, locked, { ...settlement, action: 'settled' });
}

/** Returns what a settlement returns to the buyer, with tax, in USD cents. */
export async function getSettlementCents(
  tx: Executor,
  actor: AnyActor,
  locked: LockedPlacement,
  { buyerPercent }: Pick<Settlement, 'buyerPercent'>,
): Promise<number> {
  const { transfers, returnedCents } = planMoney(actor, locked, 'settled', { buyerPercent });
  return returnedCents + (await getReturnedTaxCents(tx, transfers));
}

/**
 * Takes a placement over from its seller: staff fulfill the order, and the charge is revenue.
 * @throws AppError conflict when its delivery was approved, or it is disputed or over
 */
export const takeOverPlacement = (
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  step: { reason?: string | undefined; isIntermediate?: boolean; isPartOfSave?: boolean } = {},
): Promise<LockedPlacement> => movePlacement(tx, actor, locked, { ...step, action: 'taken_over', role: 'staff' });

/**
 * Takes over all placements of a seller whose account is being deleted. A dispute continues, and staff decide it.
 * @returns the number of placements taken over
 */
export async function takeOverPlacements(tx: Executor, actor: Actor, sellerId: string): Promise<number> {
  const open = and(eq(placements.sellerId, sellerId), inArray(placements.state, [...transitions.taken_over.from]));
  const ids = await tx
    .select({ orderId: placements.orderId })
    .from(placements)
    .where(open)
    .orderBy(asc(placements.orderId));
  let count = 0;
  for (const { orderId } of ids) {
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('no key update');
    const locked = order && (await findPlacement(tx, order));
    // It may have moved before the lock.
    if (!locked || !transitions.taken_over.from.some((state) => state === locked.placement.state)) continue;
    await takeOverPlacement(tx, actor, locked, { reason: 'The seller can no longer fulfill the order' });
    count += 1;
  }
  return count;
}
