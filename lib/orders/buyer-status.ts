import { inArray } from 'drizzle-orm';
import { type OrderStatus, orderStatuses, orders } from '@/db/schema/orders';

/** The five statuses shown to buyers. */
export const buyerStatuses = [
  'Pending',
  'Processing',
  'Completed',
  'Rejected',
  'Refunded',
] as const satisfies readonly OrderStatus[];
export type BuyerStatus = (typeof buyerStatuses)[number];

/** Maps a status to the one shown to buyers. Live is shown as Completed, because the live link is shown beside it. */
export function toBuyerStatus(status: OrderStatus): BuyerStatus {
  return status === 'Live' ? 'Completed' : status;
}

/** Lists the statuses that buyers see as the given one; undefined for an unknown status. */
export function listStatusesShownAs(seen: string): OrderStatus[] | undefined {
  const known = buyerStatuses.find((status) => status === seen);
  if (!known) return undefined;
  return known === 'Completed' ? ['Completed', 'Live'] : [known];
}

/** Statuses that count as awaiting delivery. Orders currently use only two of them. */
const namedStatuses = ['Pending', 'In Progress', 'Processing', 'Awaiting Delivery'];
export const awaitingStatuses = orderStatuses.filter((status) => namedStatuses.includes(status));

/** The condition for orders that are awaiting delivery. */
export const isAwaitingDelivery = inArray(orders.status, awaitingStatuses);
