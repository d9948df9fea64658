import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { type OrderStatus, orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import type { Approval } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { formatState } from '@/lib/orders/contract';
import { checkDelivery, type DeliveryCheck } from '@/lib/orders/placements/check-delivery';
import { acceptOffer, declineOffer, deliverPlacement } from '@/lib/orders/placements/fulfill';
import type { LockedPlacement } from '@/lib/orders/placements/lock';
import { requireRefundAllowed } from '@/lib/orders/placements/refund-approval';
import { approveDelivery, cancelPlacement, settlePlacement, takeOverPlacement } from '@/lib/orders/placements/review';
import { movePlacement } from '@/lib/orders/placements/transition';
import { cutText } from '@/lib/platform/cut-text';
import { requireOthersPlacement } from './authorize';
import type { UpdateOrderInput } from './schemas';

/** The order after the verbs, and the changes that remain for the order itself. */
type Remaining = { order: typeof orders.$inferSelect; input: UpdateOrderInput };

/** The approved request of a refund, and the reason that was given with it. */
type ApprovedRefund = { approval?: Approval | undefined; reason?: string | undefined };

/** What an update depends on besides its input. */
export type UpdateContext = ApprovedRefund & {
  /** The check of the live link that the update delivers; null if it delivers none. */
  delivery?: DeliveryCheck | null;
};

/** The states from which a live link is a delivery for the seller. */
const beforeDelivery = ['offered', 'accepted', 'in_revision'] as const;

/**
 * Checks the live link of an update that delivers it for the seller, before its transaction.
 * @returns null for an update that delivers nothing
 */
export async function checkDeskDelivery(
  actor: Actor,
  id: number,
  { status, linkUrl }: UpdateOrderInput,
): Promise<DeliveryCheck | null> {
  if (!linkUrl) return null;
  const [row] = await db()
    .select({ state: placements.state, status: orders.status, linkUrl: orders.linkUrl })
    .from(orders)
    .innerJoin(placements, eq(placements.orderId, orders.id))
    .where(eq(orders.id, id));
  const isDelivery = row && linkUrl !== row.linkUrl && beforeDelivery.some((state) => state === row.state);
  const makesLive = status === undefined || status === row?.status || status === 'Live' || status === 'Completed';
  return isDelivery && makesLive ? checkDelivery(actor, id, linkUrl, { role: 'staff' }) : null;
}

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
  tx: Transaction,
  actor: Actor,
  locked: LockedPlacement,
  input: UpdateOrderInput,
  approved: UpdateContext,
): Promise<Remaining> {
  const { order, placement } = locked;
  const { status: requested = order.status, linkUrl, ...others } = input;
  // An unchanged link does not undo the one that a verb sets.
  const rest = { ...others, ...(linkUrl !== order.linkUrl && { linkUrl }) };
  const link = rest.linkUrl || undefined;
  if (requested === order.status && link === undefined) return { order, input };
  await requireOthersPlacement(tx, actor, locked);
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

type How = UpdateContext & { link: string | undefined; isRejection: boolean; adminComments: string | undefined };

async function moveTo(
  tx: Transaction,
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
      return approveByDesk(tx, actor, locked, how);
    case 'Completed': {
      const after = placement.state === 'approved' ? locked : await approveByDesk(tx, actor, locked, how);
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
  tx: Transaction,
  actor: Actor,
  locked: LockedPlacement,
  { link, delivery, adminComments = '' }: How,
): Promise<LockedPlacement> {
  const step = { ...save, isIntermediate: true };
  const { order, placement } = locked;
  const { state } = placement;
  if (!beforeDelivery.some((one) => one === state)) return approveDelivery(tx, actor, locked, { ...save, url: link });
  if (link === undefined)
    throw new AppError('conflict', `Order #${order.id} is ${formatState(state)}: enter its live link first.`);
  if (delivery?.url !== link) throw new AppError('conflict', `Order #${order.id} changed meanwhile. Try again.`);
  const accepted = state === 'offered' ? await acceptOffer(tx, actor, locked, step) : locked;
  // The buyer reads the comment, so that a new one can say why a link is not in order.
  const reason = adminComments === order.adminComments ? '' : cutText(adminComments, 500);
  const delivered = await deliverPlacement(tx, actor, accepted, { ...step, check: delivery, reason }).catch(
    assignToLink,
  );
  return approveDelivery(tx, actor, delivered, save);
}

/** Assigns the error of a delivery to the field of the live link. */
function assignToLink(thrown: unknown): never {
  if (!(thrown instanceof AppError) || thrown.code !== 'link_not_in_order') throw thrown;
  const advice = 'To deliver a page that can be opened all the same, write a new comment to the buyer that says why.';
  const fields = { linkUrl: `${thrown.message} ${advice}` };
  throw new AppError(thrown.code, thrown.message, { ...thrown.details, fields });
}

async function refundByDesk(
  tx: Transaction,
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
    amountCents: order.chargedCents + order.taxCents,
    isRejection: false,
    adminComments,
    placementState: placement.state,
    approval,
  });
  return settlePlacement(tx, actor, locked, { ...save, buyerPercent: 100, outcome: 'decided', approval });
}
