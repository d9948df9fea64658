import { inArray, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';

/** Marks orders in which buyer or seller wrote contact data, so that staff find them on the desk. */
export async function markContactData(tx: Executor, orderIds: readonly number[]): Promise<void> {
  if (orderIds.length === 0) return;
  await tx
    .update(orders)
    // The buyer sees the time of the last update.
    .set({ contactDataAt: sql`now()`, updatedAt: sql`${orders.updatedAt}` })
    .where(inArray(orders.id, [...orderIds]));
}
