import type { Executor } from '@/db/client';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordFirstCheck } from '@/lib/links/insert-check';
import { type DeliveryCheck, getOutcome, requireDeliverableUrl, requireDelivery } from './check-delivery';
import { addDays } from './clocks';
import type { LockedPlacement } from './lock';
import { requireRefundAllowed } from './refund-approval';
import type { ExtensionInput } from './schemas';
import { movePlacement, requireState, type Step } from './transition';

type Acceptance = Pick<Step, 'role' | 'isIntermediate' | 'isPartOfSave'>;

/**
 * Accepts an offer. The delivery is due after the site's turnaround and the days of grace.
 * @throws AppError conflict in another state
 */
export const acceptOffer = (
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  acceptance: Acceptance,
): Promise<LockedPlacement> => movePlacement(tx, actor, locked, { ...acceptance, action: 'accepted' });

type Refusal = Pick<Step, 'role' | 'approval' | 'isPartOfSave'> & {
  reason?: string | undefined;
  /** The comment that staff save with it. */
  adminComments?: string | undefined;
};

/**
 * Declines an offer: the charge returns to the buyer.
 * @throws AppError conflict in another state
 * @throws ApprovalRequired when staff decline and the charge is above the approval limit
 */
export async function declineOffer(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { role, reason = '', adminComments, approval, isPartOfSave }: Refusal,
): Promise<LockedPlacement> {
  requireState(locked, 'declined');
  const { order } = locked;
  if (role === 'staff')
    await requireRefundAllowed(tx, actor, order, {
      amountCents: order.chargedCents + order.taxCents,
      isRejection: true,
      adminComments,
      reason,
      placementState: locked.placement.state,
      approval,
    });
  return movePlacement(tx, actor, locked, { action: 'declined', role, reason, approval, isPartOfSave });
}

type Delivery = {
  role: 'seller' | 'staff';
  /** From `checkDelivery`, of the page to deliver. */
  check: DeliveryCheck;
  /** Why the page is delivered although its link is not in order; the buyer reads it. */
  reason?: string | undefined;
  isIntermediate?: boolean;
};

/**
 * Delivers a placement: the page with the link is online. The buyer answers within the days of the rules. The check of the
 * page is the first of its link.
 * @throws AppError conflict in another state, and if the order changed during the check; unprocessable for a page of a
 * seller on another registrable domain than the ordered site, and for one that link checks cannot request;
 * link_not_in_order without a reason, and for a page that cannot be opened
 */
export async function deliverPlacement(
  tx: Transaction,
  actor: Actor,
  locked: LockedPlacement,
  { role, check, reason = '', isIntermediate }: Delivery,
): Promise<LockedPlacement> {
  requireState(locked, 'delivered');
  const { placement, now } = locked;
  const { url, judgement } = check;
  if (role === 'seller') requireDeliverableUrl(url, locked.order.website);
  requireDelivery(locked, check, reason);
  const deliveryReason = getOutcome(check) === 'allowed' ? '' : reason;
  const after = await movePlacement(tx, actor, locked, {
    action: 'delivered',
    role,
    reason: deliveryReason,
    note: url,
    isIntermediate,
    // The seller agreed to a cancellation instead of this delivery.
    set: {
      deliveredUrl: url,
      deliveredAt: now,
      deliveryReason,
      releasedAt: null,
      wasLate: placement.wasLate || (placement.deliveryDueAt !== null && placement.deliveryDueAt < now),
    },
  });
  const { guaranteeDays } = placement;
  if (judgement) await recordFirstCheck(tx, placement.orderId, { judgement, actorId: actor.userId, guaranteeDays });
  return after;
}

/**
 * Asks the buyer for more days, once for each order.
 * @throws AppError conflict in another state and for a second request
 */
export async function askForExtension(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { days, reason }: Pick<ExtensionInput, 'days' | 'reason'>,
): Promise<LockedPlacement> {
  requireState(locked, 'extension_asked');
  const { placement, now } = locked;
  if (placement.extensionAskedAt !== null)
    throw new AppError('conflict', `More days were already requested for order #${placement.orderId}.`);
  return movePlacement(tx, actor, locked, {
    action: 'extension_asked',
    role: 'seller',
    reason,
    note: `${days}`,
    set: { extensionDays: days, extensionReason: reason, extensionAskedAt: now },
  });
}

/**
 * Grants or refuses the days for which the seller asked. Granted days move the due day.
 * @throws AppError conflict in another state, and without an open request
 */
export async function answerExtension(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { grant, role }: { grant: boolean; role: 'buyer' | 'staff' },
): Promise<LockedPlacement> {
  requireState(locked, grant ? 'extension_granted' : 'extension_refused');
  const { placement, now } = locked;
  const { extensionDays, deliveryDueAt } = placement;
  const isAnswered = placement.extensionGrantedAt !== null || placement.extensionRefusedAt !== null;
  if (extensionDays === null || deliveryDueAt === null || isAnswered) {
    const why = isAnswered ? 'was answered before' : 'does not exist';
    throw new AppError('conflict', `The request for more days for order #${placement.orderId} ${why}.`);
  }
  return movePlacement(tx, actor, locked, {
    action: grant ? 'extension_granted' : 'extension_refused',
    role,
    set: grant
      ? { extensionGrantedAt: now, deliveryDueAt: addDays(deliveryDueAt, extensionDays), remindedAt: null }
      : { extensionRefusedAt: now },
  });
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
