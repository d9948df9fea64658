import { and, count, eq, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { orders } from '../../db/schema/orders';
import { projects } from '../../db/schema/projects';
import { savedFilters } from '../../db/schema/site-preferences';
import { awaitsDelivery } from '../orders/awaiting';

/** A buyer's orders: how many there are, and how many they still wait for. */
export async function countBuyerOrders(userId: string): Promise<{ total: number; awaiting: number }> {
  const [row] = await db()
    .select({ total: count(), awaiting: sql<number>`count(*) filter (where ${awaitsDelivery})`.mapWith(Number) })
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

/** How many filters of the marketplace a buyer keeps by name. */
export async function countSavedFilters(userId: string): Promise<number> {
  const [row] = await db().select({ value: count() }).from(savedFilters).where(eq(savedFilters.userId, userId));
  return row?.value ?? 0;
}
