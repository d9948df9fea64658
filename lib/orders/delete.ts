import { and, eq, isNull } from 'drizzle-orm';
import { db } from '../../db/client';
import { orders } from '../../db/schema/orders';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { orderNotFound } from './queries';

/**
 * Takes an order out of every list and keeps its books (decision 12): no money moves.
 * @throws AppError not_found, also for one that is deleted already
 */
export async function deleteOrder(actor: Actor, id: number): Promise<void> {
  await db().transaction(async (tx) => {
    const [order] = await tx
      .select()
      .from(orders)
      .where(and(eq(orders.id, id), isNull(orders.deletedAt)))
      .for('no key update');
    if (!order) throw orderNotFound(id);
    await tx
      .update(orders)
      .set({ deletedAt: new Date(), version: order.version + 1 })
      .where(eq(orders.id, id));
    await recordAudit(tx, actor, {
      action: 'order.deleted',
      details: `Order #${id} for ${order.website || order.packageName} was deleted with status ${order.status}; its books stay.`,
      entityType: 'order',
      entityId: id,
      before: {
        status: order.status,
        website: order.website,
        packageName: order.packageName,
        linkUrl: order.linkUrl,
        chargedCents: order.chargedCents,
      },
    });
  });
}
