import { formatUsd } from '@/lib/money';
import { type AdminOrderDetails, isOver } from '@/lib/orders/contract';
import type { OrderEdit } from './use-order-edit';

type Placement = NonNullable<AdminOrderDetails['placement']>;

/** Describes what saving an edit does to the buyer's money and to the placement; undefined if it does nothing to them. */
export function describeStatus(order: AdminOrderDetails, edit: OrderEdit, hasFile = false): string | undefined {
  const { placement } = order;
  if (placement && !isOver(placement)) return describePlacementChange(order, placement, edit);
  const obstacle = findObstacle(order, edit, edit.status, hasFile);
  return obstacle ? `${edit.status} ${obstacle}. Add it first.` : describeMoney(order, edit.status);
}

/**
 * Finds what an order lacks for a status, as the list of statuses shows it; undefined for a status that is possible. The
 * current status is no change.
 * @param hasFile whether a file to upload is chosen
 */
export function findObstacle(
  order: AdminOrderDetails,
  { linkUrl }: Pick<OrderEdit, 'linkUrl'>,
  status: AdminOrderDetails['status'],
  hasFile = false,
): string | undefined {
  if (status === order.status || status === 'Refunded') return undefined;
  const hasLink = linkUrl.trim() !== '';
  const { placement } = order;
  if (placement && !isOver(placement)) {
    const { state } = placement;
    if (status === 'Pending') return 'a seller fulfills it';
    if (state === 'disputed') return 'decide the dispute first';
    if (state === 'approved') return status === 'Completed' ? undefined : 'the delivery was approved';
    if (status === 'Processing') return state === 'offered' ? undefined : 'only an offer can be accepted';
    if (status === 'Rejected' || state === 'delivered') return undefined;
    return linkUrl !== order.linkUrl && hasLink ? undefined : 'needs a live link';
  }
  if (status !== 'Live' && status !== 'Completed') return undefined;
  if (hasLink) return undefined;
  // A package can be delivered as a file.
  const isFile = status === 'Completed' && order.website === '';
  if (isFile && (hasFile || order.contentPath !== null)) return undefined;
  return isFile ? 'needs a live link or content' : 'needs a live link';
}

/** Returns the buyer's money that a change of the status moves, in USD cents. */
export function movedCents(base: AdminOrderDetails, { status }: OrderEdit): number {
  if (status === base.status) return 0;
  return status === 'Refunded' ? base.netPaidCents : base.rechargeCents;
}

/** Returns the question before a status moves the buyer's money. */
export function describeMove(base: AdminOrderDetails, edit: OrderEdit) {
  const amount = formatUsd(movedCents(base, edit));
  const isRefund = edit.status === 'Refunded';
  const effect = describeStatus(base, edit) ?? '';
  return {
    title: isRefund ? `Refund ${amount} for order #${base.id}?` : `Charge ${amount} for order #${base.id} again?`,
    description: `${effect} The buyer is ${base.userEmail}. Your other changes are saved with it.`.trim(),
    confirmLabel: isRefund ? 'Refund' : 'Charge again',
  };
}

function describeMoney(order: AdminOrderDetails, status: AdminOrderDetails['status']): string | undefined {
  if (order.status === status || order.chargedCents === 0) return undefined;
  const { netPaidCents, rechargeCents } = order;
  if (status === 'Refunded') {
    return netPaidCents > 0
      ? `Saving returns ${formatUsd(netPaidCents)} to the buyer’s wallet.`
      : 'Saving moves no money: everything was returned before.';
  }
  if (order.status === 'Refunded') {
    return rechargeCents > 0
      ? `Saving takes ${formatUsd(rechargeCents)} from the buyer’s wallet again.`
      : 'Saving moves no money: what was returned stays returned.';
  }
  if (status === 'Rejected' && netPaidCents > 0)
    return `Rejected doesn’t move money. “Reject and refund” returns ${formatUsd(netPaidCents)}.`;
  return undefined;
}

/** Describes the verbs of the placement that a status stands for (lib/orders/order/update-by-desk.ts). */
function describePlacementChange(order: AdminOrderDetails, placement: Placement, edit: OrderEdit): string | undefined {
  const { state } = placement;
  const hasNewLink = edit.linkUrl !== '' && edit.linkUrl !== order.linkUrl;
  if (edit.status === order.status) {
    return hasNewLink && state !== 'approved' ? `The link approves the delivery: ${describeEarning(order)}` : undefined;
  }
  if (edit.status !== 'Refunded') {
    if (state === 'disputed') return 'The order is disputed: decide the dispute first, or choose Refunded.';
    if (state === 'approved' && edit.status !== 'Completed')
      return 'The delivery was approved: choose Completed or Refunded.';
  }
  const paid = formatUsd(order.netPaidCents);
  switch (edit.status) {
    case 'Processing':
      return state === 'offered'
        ? 'Processing accepts the order for the seller.'
        : 'Only an offer can become Processing.';
    case 'Live':
      return needsLink(placement, hasNewLink) ?? `Live approves the delivery: ${describeEarning(order)}`;
    case 'Completed':
      if (state === 'approved') return 'Completed closes the placement. The seller keeps the earnings.';
      return (
        needsLink(placement, hasNewLink) ??
        `Completed approves the delivery and closes the placement: ${describeEarning(order)}`
      );
    case 'Refunded':
      return state === 'disputed' || state === 'approved'
        ? `Refunded settles the placement and returns ${paid}: the seller keeps nothing.`
        : `Refunded cancels the placement and returns ${paid}.`;
    case 'Rejected':
      return `Rejected takes the order over from the seller, who earns nothing. ${paid} stays with you until you refund it.`;
    case 'Pending':
      return 'An order that a seller fulfills cannot become Pending again.';
  }
}

/** Returns what is missing for Live and Completed, which need the page of the delivery. */
function needsLink({ state }: Placement, hasNewLink: boolean): string | undefined {
  return state === 'delivered' || hasNewLink ? undefined : 'Enter the live link: the seller has not delivered yet.';
}

const describeEarning = ({ earnsCents = 0 }: AdminOrderDetails) => `the seller earns ${formatUsd(earnsCents)}.`;
