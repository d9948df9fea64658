import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { findPlacement, type LockedPlacement, movePlacement } from './move';
import { transitions } from './states';

/**
 * Takes a placement over from its seller: staff fulfill the order, and the charge is revenue.
 * @throws AppError conflict when its delivery was approved, or it is disputed or over
 */
export const takeOverPlacement = (
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  step: { reason?: string | undefined; isIntermediate?: boolean; isPartOfSave?: boolean } = {},
): Promise<LockedPlacement> => movePlacement(tx, actor, locked, { ...step, action: 'taken_over', role: 'staff' });

/**
 * Takes over all placements of a seller whose account is being deleted. A dispute continues, and staff decide it.
 * @returns the number of placements taken over
 */
export async function takeOverPlacements(tx: Executor, actor: Actor, sellerId: string): Promise<number> {
  const open = and(eq(placements.sellerId, sellerId), inArray(placements.state, [...transitions.taken_over.from]));
  const ids = await tx
    .select({ orderId: placements.orderId })
    .from(placements)
    .where(open)
    .orderBy(asc(placements.orderId));
  let taken = 0;
  for (const { orderId } of ids) {
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('no key update');
    const locked = order && (await findPlacement(tx, order));
    // It may have moved before the lock.
    if (!locked || !transitions.taken_over.from.some((state) => state === locked.placement.state)) continue;
    await takeOverPlacement(tx, actor, locked, { reason: 'The seller can no longer fulfill the order' });
    taken += 1;
  }
  return taken;
}
