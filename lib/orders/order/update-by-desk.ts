import type { Executor } from '@/db/client';
import type { OrderStatus, orders } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import type { Approval } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { formatState } from '@/lib/orders/contract';
import { acceptOffer, declineOffer, deliverPlacement } from '@/lib/orders/placements/fulfill';
import type { LockedPlacement } from '@/lib/orders/placements/lock';
import { requireRefundAllowed } from '@/lib/orders/placements/refund-approval';
import { approveDelivery, cancelPlacement, settlePlacement, takeOverPlacement } from '@/lib/orders/placements/review';
import { movePlacement } from '@/lib/orders/placements/transition';
import { requireOthersPlacement } from './authorize';
import type { UpdateOrderInput } from './schemas';

/** The order after the verbs, and the changes that remain for the order itself. */
type Remaining = { order: typeof orders.$inferSelect; input: UpdateOrderInput };

/** The approved request of a refund, and the reason that was given with it. */
export type ApprovedRefund = { approval?: Approval | undefined; reason?: string | undefined };

/** Of each step here: the update mails the buyer once, about all its changes. */
const save = { role: 'staff', isPartOfSave: true } as const;

/**
 * Makes an update by staff of an order that a seller fulfills: a change of the status, or a live link alone, becomes verbs
 * of the placement. Processing accepts it; Live accepts, delivers and approves it as far as needed; Completed closes it as
 * well; Refunded cancels, declines or settles it; Rejected takes it over. A settlement does not return what is payable to
 * the seller: the order's own refund returns the rest, at the platform's cost.
 * @throws AppError conflict when the placement has no way to the status, forbidden for the actor's own order or site
 * @throws ApprovalRequired for a refund above the approval limit
 */
export async function updateByDesk(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  input: UpdateOrderInput,
  approved: ApprovedRefund,
): Promise<Remaining> {
  const { order, placement } = locked;
  const { status: requested = order.status, linkUrl, ...others } = input;
  // An unchanged link does not undo the one that a verb sets.
  const rest = { ...others, ...(linkUrl !== order.linkUrl && { linkUrl }) };
  const link = rest.linkUrl || undefined;
  if (requested === order.status && link === undefined) return { order, input };
  requireOthersPlacement(actor, locked);
  // Another page of an approved placement: the order's own update sets it.
  if (requested === order.status && placement.state === 'approved') return { order, input };
  if (link !== undefined && (requested === 'Pending' || requested === 'Processing') && requested !== order.status)
    throw new AppError('conflict', `Order #${order.id} is ${formatState(placement.state)}: a live link makes it Live.`);
  const status = requested === order.status ? 'Live' : requested;
  const { isRejection = false, adminComments } = input;
  const after = await moveTo(tx, actor, locked, status, { ...approved, link, isRejection, adminComments });
  const isLeft = status === 'Rejected' || (status === 'Refunded' && after.order.status !== 'Refunded');
  return { order: after.order, input: isLeft ? { ...rest, status } : rest };
}

type How = ApprovedRefund & { link: string | undefined; isRejection: boolean; adminComments: string | undefined };

async function moveTo(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  status: OrderStatus,
  how: How,
): Promise<LockedPlacement> {
  const { order, placement } = locked;
  switch (status) {
    case 'Processing':
      return acceptOffer(tx, actor, locked, save);
    case 'Live':
      return approveByDesk(tx, actor, locked, how.link);
    case 'Completed': {
      const after = placement.state === 'approved' ? locked : await approveByDesk(tx, actor, locked, how.link);
      const set = how.link === undefined ? {} : { deliveredUrl: how.link };
      return movePlacement(tx, actor, after, { action: 'closed', role: 'staff', set });
    }
    case 'Refunded':
      return refundByDesk(tx, actor, locked, how);
    case 'Rejected':
      return takeOverPlacement(tx, actor, locked, { isPartOfSave: true });
    case 'Pending':
      throw new AppError(
        'conflict',
        `Order #${order.id} is ${formatState(placement.state)}: it cannot become Pending again. Take it over to fulfill it yourself.`,
      );
  }
}

/** Accepts, delivers and approves, as far as needed. The notifications of the last step suffice. */
async function approveByDesk(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  link: string | undefined,
): Promise<LockedPlacement> {
  const step = { ...save, isIntermediate: true };
  const { state } = locked.placement;
  let after = locked;
  if (state === 'offered' || state === 'accepted' || state === 'in_revision') {
    if (link === undefined)
      throw new AppError('conflict', `Order #${locked.order.id} is ${formatState(state)}: enter its live link first.`);
    if (state === 'offered') after = await acceptOffer(tx, actor, after, step);
    after = await deliverPlacement(tx, actor, after, { ...step, url: link });
  }
  return approveDelivery(tx, actor, after, { ...save, url: link });
}

async function refundByDesk(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { isRejection, ...how }: How,
): Promise<LockedPlacement> {
  const { order, placement } = locked;
  const { approval, adminComments } = how;
  if (isRejection) return declineOffer(tx, actor, locked, { ...save, ...how });
  if (placement.state !== 'disputed' && placement.state !== 'approved')
    return cancelPlacement(tx, actor, locked, { ...save, ...how });
  await requireRefundAllowed(tx, actor, order, {
    amountCents: order.chargedCents,
    isRejection: false,
    adminComments,
    placementState: placement.state,
    approval,
  });
  return settlePlacement(tx, actor, locked, { ...save, buyerPercent: 100, outcome: 'decided', approval });
}
