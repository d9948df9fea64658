import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { orderContents, orders } from '../../db/schema/orders';
import { contentStore } from './store';

/**
 * For a file whose row could not be written, as far as one knows: the commit may have happened and only its answer
 * been lost, and a row without its file cannot be mended. So the file is deleted only when the row is surely not there.
 * Nothing is thrown, so that whoever asks can tell the first error.
 * @returns whether the row is there after all
 */
export async function keptAfterAll(orderId: number, storageKey: string): Promise<boolean> {
  try {
    const isKept = await db().transaction(async (tx) => {
      // Waits for the lost transaction where it still runs: it holds this row to its end.
      await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for('no key update');
      const rows = await tx
        .select({ id: orderContents.id })
        .from(orderContents)
        .where(eq(orderContents.storageKey, storageKey));
      return rows.length > 0;
    });
    if (!isKept) await contentStore().delete(storageKey);
    return isKept;
  } catch (thrown) {
    // A file too many takes a little room; it is told, for whoever looks after the store.
    const message = 'A content file may lie in the store without an order.';
    console.error(JSON.stringify({ level: 'error', message, storageKey, cause: String(thrown) }));
    return false;
  }
}
