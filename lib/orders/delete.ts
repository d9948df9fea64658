import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { orders } from '../../db/schema/orders';
import type { Actor } from '../access/actor';
import { recordAudit } from '../platform/audit/record';
import { requireVersion } from '../platform/optimistic-lock';
import { lockOrder } from './lock-order';

/**
 * Deletes an order. The ledger entries are kept and no money moves.
 * @param version the version the actor saw. Prevents deleting an order that was changed since, for example by reversing
 * its refund
 * @throws AppError not_found, also for a deleted order; conflict for a stale `version`
 */
export async function deleteOrder(actor: Actor, id: number, version?: number): Promise<void> {
  await db().transaction(async (tx) => {
    const order = await lockOrder(tx, id);
    requireVersion(order, version, `Order #${id}`);
    await tx
      .update(orders)
      .set({ deletedAt: new Date(), version: order.version + 1 })
      .where(eq(orders.id, id));
    await recordAudit(tx, actor, {
      action: 'order.deleted',
      details: `Order #${id} for ${order.website || order.packageName} was deleted with status ${order.status}; its ledger entries stay.`,
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
