import { inArray } from 'drizzle-orm';
import { type OrderStatus, orderStatuses, orders } from '../../db/schema/orders';

/** What a buyer sees of the six statuses (spec 001, section 4). */
export const buyerStatuses = [
  'Pending',
  'Processing',
  'Completed',
  'Rejected',
  'Refunded',
] as const satisfies readonly OrderStatus[];
export type BuyerStatus = (typeof buyerStatuses)[number];

/** A link that is live is what the buyer paid for, so Live reads Completed; the link itself stands beside it. */
export function buyerStatus(status: OrderStatus): BuyerStatus {
  return status === 'Live' ? 'Completed' : status;
}

/** The statuses that a buyer sees as this one; undefined for a text that is none of the five. */
export function statusesSeenAs(seen: string): OrderStatus[] | undefined {
  const known = buyerStatuses.find((status) => status === seen);
  if (!known) return undefined;
  return known === 'Completed' ? ['Completed', 'Live'] : [known];
}

/** Statuses that count as awaiting delivery (spec 001, section 2); orders themselves know two of the four. */
const awaitingStatuses = ['Pending', 'In Progress', 'Processing', 'Awaiting Delivery'];

/** The condition of an order that its buyer still waits for. */
export const awaitsDelivery = inArray(
  orders.status,
  orderStatuses.filter((status) => awaitingStatuses.includes(status)),
);
