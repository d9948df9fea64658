import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { orderContents, orders } from '../../db/schema/orders';
import { contentStore } from './store';

/**
 * Deletes a file that no row names. An upload of the same order that is still writing its row is waited for: it holds
 * the order to its end.
 * @returns whether a row names it, and the file stays
 */
export async function deleteUnlessKept(orderId: number, storageKey: string): Promise<boolean> {
  const isKept = await db().transaction(async (tx) => {
    await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for('no key update');
    const rows = await tx
      .select({ id: orderContents.id })
      .from(orderContents)
      .where(eq(orderContents.storageKey, storageKey));
    return rows.length > 0;
  });
  if (!isKept) await contentStore().delete(storageKey);
  return isKept;
}
