import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { endWatch } from '@/lib/links/watches';
import { isOver } from '@/lib/orders/contract';
import { endOpenChange } from '@/lib/orders/placements/changes/follow';
import { findPlacement, lockOrder } from '@/lib/orders/placements/lock';
import { takeOverPlacement } from '@/lib/orders/placements/review';
import { movePlacement } from '@/lib/orders/placements/transition';
import { postOrderTransfers } from '@/lib/orders/tax/post-order-transfers';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { requireOthersPlacement } from './authorize';

/**
 * Deletes an order. The ledger entries are kept, and no money returns to the buyer, except that of an open paid change.
 * An order that a seller fulfills is taken over first; after the approval, its guarantee ends and the seller's share
 * becomes payable.
 * @param version the version the actor saw. Prevents deleting an order that was changed since, for example by reversing
 * its refund
 * @throws AppError not_found, also for a deleted order; conflict for a stale `version` and for a disputed order
 */
export async function deleteOrder(actor: Actor, id: number, version?: number): Promise<void> {
  await db().transaction(async (tx) => {
    const before = await lockOrder(tx, id);
    requireVersion(before, version, `Order #${id}`);
    const order = await endPlacement(tx, actor, before);
    const ended = await findPlacement(tx, order);
    const returns = ended ? await endOpenChange(tx, actor, ended, 'staff') : [];
    await endWatch(tx, id, 'stopped');
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
    await postOrderTransfers(tx, returns);
  });
}

/** Ends the placement of a deleted order. @returns the order after its placement was taken over or closed */
async function endPlacement(tx: Executor, actor: Actor, order: typeof orders.$inferSelect) {
  const locked = await findPlacement(tx, order);
  if (!locked || isOver(locked.placement)) return order;
  if (locked.placement.state === 'disputed')
    throw new AppError('conflict', `Order #${order.id} is disputed: decide the dispute before you delete the order.`);
  await requireOthersPlacement(tx, actor, locked);
  const after =
    locked.placement.state === 'approved'
      ? await movePlacement(tx, actor, locked, { action: 'closed', role: 'staff' })
      : await takeOverPlacement(tx, actor, locked);
  return after.order;
}
