import { and, count, eq, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { type OrderStatus, orderStatuses, orders } from '../../db/schema/orders';
import { projects } from '../../db/schema/projects';

/** Statuses that count as awaiting delivery (spec 001, section 2); orders themselves know two of the four. */
const awaitingStatuses = ['Pending', 'In Progress', 'Processing', 'Awaiting Delivery'];

export const isAwaitingDelivery = (status: OrderStatus) => awaitingStatuses.includes(status);

/** A buyer's orders: how many there are, and how many they still wait for. */
export async function countBuyerOrders(userId: string): Promise<{ total: number; awaiting: number }> {
  const awaiting = orderStatuses.filter(isAwaitingDelivery);
  const [row] = await db()
    .select({
      total: count(),
      awaiting: sql<number>`count(*) filter (where ${orders.status} in ${awaiting})`.mapWith(Number),
    })
    .from(orders)
    .where(and(eq(orders.userId, userId), isNull(orders.deletedAt)));
  return row ?? { total: 0, awaiting: 0 };
}

export async function countBuyerProjects(userId: string): Promise<number> {
  const [row] = await db()
    .select({ value: count() })
    .from(projects)
    .where(and(eq(projects.userId, userId), isNull(projects.deletedAt)));
  return row?.value ?? 0;
}
