import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { orderNotFoundError } from './queries';

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
