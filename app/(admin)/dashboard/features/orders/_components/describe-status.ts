import { formatMoney, walletCurrency } from '@/lib/money';
import { isOver } from '@/lib/orders/placements/states';
import type { AdminOrderView } from '@/lib/orders/views';
import type { OrderEdit } from './order-edit';

type Placement = NonNullable<AdminOrderView['placement']>;

/** Describes what saving an edit does to the buyer's money and to the placement; undefined if it does nothing to them. */
export function describeStatus(order: AdminOrderView, edit: OrderEdit): string | undefined {
  const { placement } = order;
  if (placement && !isOver(placement)) return describePlacementChange(order, placement, edit);
  return describeMoney(order, edit.status);
}

function describeMoney(order: AdminOrderView, status: AdminOrderView['status']): string | undefined {
  if (order.status === status || order.chargedCents === 0) return undefined;
  const charge = money(order.chargedCents);
  if (status === 'Refunded') return `Saving returns ${charge} to the buyer’s wallet.`;
  if (order.status === 'Refunded') return `Saving takes ${charge} from the buyer’s wallet again.`;
  if (status === 'Rejected') return `Rejected doesn’t move money. “Reject and refund” returns ${charge}.`;
  return undefined;
}

/** The verbs of the placement that a status stands for (lib/orders/placements/update-by-desk.ts). */
function describePlacementChange(order: AdminOrderView, placement: Placement, edit: OrderEdit): string | undefined {
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
  const charge = money(order.chargedCents);
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
        ? `Refunded settles the placement and returns ${charge}: the seller keeps nothing.`
        : `Refunded cancels the placement and returns ${charge}.`;
    case 'Rejected':
      return `Rejected takes the order over from the seller, who earns nothing. ${charge} stays with you until you refund it.`;
    case 'Pending':
      return 'An order that a seller fulfills cannot become Pending again.';
  }
}

/** Live and Completed need the page of the delivery. */
function needsLink({ state }: Placement, hasNewLink: boolean): string | undefined {
  return state === 'delivered' || hasNewLink ? undefined : 'Enter the live link: the seller has not delivered yet.';
}

const describeEarning = ({ earnsCents = 0 }: AdminOrderView) => `the seller earns ${money(earnsCents)}.`;
const money = (cents: number) => formatMoney(cents, walletCurrency);
