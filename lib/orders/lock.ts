import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { orders } from '../../db/schema/orders';
import { orderNotFound } from './queries';

/**
 * Locks an order for a change.
 * @throws AppError not_found, also for one that is deleted
 */
export async function lockOrder(tx: Executor, id: number): Promise<typeof orders.$inferSelect> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), isNull(orders.deletedAt)))
    .for('no key update');
  if (!order) throw orderNotFound(id);
  return order;
}
