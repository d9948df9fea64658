import { and, asc, eq, or, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { isOpenChange, orderChanges } from '@/db/schema/order-changes';
import { orders } from '@/db/schema/orders';
import { type PlacementRole, type PlacementState, placementEvents } from '@/db/schema/placements';
import type { AnyActor } from '@/lib/access/actor';
import type { Transfer } from '@/lib/ledger/post-transfer';
import { isOver } from '@/lib/orders/contract';
import { findPlacement, type LockedPlacement } from '@/lib/orders/placements/lock';
import { postOrderTransfers } from '@/lib/orders/tax/post-order-transfers';
import type { Change } from './contract';
import { moveChange } from './move';
import { createChangeReturn } from './transfers';

/**
 * Applies a step of a placement to the open change of its order: a dispute pauses it, and it ends with a placement that
 * was settled or whose link was lost.
 * @param from the state before the step
 * @returns the transfers to post with those of the step
 */
export async function followPlacement(
  tx: Executor,
  actor: AnyActor,
  locked: LockedPlacement,
  { from, role }: { from: PlacementState; role: PlacementRole },
): Promise<Transfer[]> {
  const { placement } = locked;
  // There are changes of published articles only.
  if (placement.approvedAt === null || placement.state === 'closed') return [];
  if (isOver(placement)) return endOpenChange(tx, actor, locked, role);
  const ofOrder = and(eq(orderChanges.orderId, placement.orderId), isOpenChange);
  if (placement.state === 'disputed') await tx.update(orderChanges).set({ nextActionAt: null }).where(ofOrder);
  else if (from === 'disputed') {
    const disputedAt = sql`(select max(at) from ${placementEvents}
      where order_id = ${placement.orderId} and action = 'disputed')`;
    const dueAt = sql`${orderChanges.dueAt} + (now() - ${disputedAt})`;
    await tx.update(orderChanges).set({ dueAt, nextActionAt: dueAt }).where(ofOrder);
  }
  return [];
}

/**
 * Ends the open change of an order that ended, if it has one.
 * @returns the transfers that return what was charged, for the caller to post
 */
export async function endOpenChange(
  tx: Executor,
  actor: AnyActor,
  locked: LockedPlacement,
  role: PlacementRole,
): Promise<Transfer[]> {
  const { order } = locked;
  const [change] = await tx
    .select()
    .from(orderChanges)
    .where(and(eq(orderChanges.orderId, order.id), isOpenChange))
    .for('no key update');
  if (!change) return [];
  await moveChange(tx, actor, { ...locked, change }, { action: 'expired', role });
  return change.chargedAt === null ? [] : createChangeReturn(order, change, actor.userId);
}

/** Ends the open changes of a user whose account is being deleted, as buyer and as seller; what was charged returns. */
export async function endChangesOfUser(tx: Executor, actor: AnyActor, userId: string): Promise<void> {
  const open: Pick<Change, 'orderId'>[] = await tx
    .select({ orderId: orderChanges.orderId })
    .from(orderChanges)
    .where(and(or(eq(orderChanges.buyerId, userId), eq(orderChanges.sellerId, userId)), isOpenChange))
    .orderBy(asc(orderChanges.orderId));
  for (const { orderId } of open) {
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('no key update');
    const locked = order && (await findPlacement(tx, order));
    if (locked) await postOrderTransfers(tx, await endOpenChange(tx, actor, locked, 'staff'));
  }
}
