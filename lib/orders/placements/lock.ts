import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { orderNotFoundError } from '@/lib/orders/order/queries';

/**
 * Locks an order for an update.
 * @throws AppError not_found, also for a deleted order
 */
export async function lockOrder(tx: Executor, id: number): Promise<typeof orders.$inferSelect> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), isNull(orders.deletedAt)))
    .for('no key update');
  if (!order) throw orderNotFoundError(id);
  return order;
}

/** Marks orders in which buyer or seller wrote contact data, so that staff find them on the desk. */
export async function markContactData(tx: Executor, orderIds: readonly number[]): Promise<void> {
  if (orderIds.length === 0) return;
  await tx
    .update(orders)
    // The buyer sees the time of the last update.
    .set({ contactDataAt: sql`now()`, updatedAt: sql`${orders.updatedAt}` })
    .where(inArray(orders.id, [...orderIds]));
}
