import { inArray } from 'drizzle-orm';
import { orderStatuses, orders } from '../../db/schema/orders';

/** Statuses that count as awaiting delivery (spec 001, section 2); orders themselves know two of the four. */
const awaitingStatuses = ['Pending', 'In Progress', 'Processing', 'Awaiting Delivery'];

/** The condition of an order that its buyer still waits for. */
export const awaitsDelivery = inArray(
  orders.status,
  orderStatuses.filter((status) => awaitingStatuses.includes(status)),
);
