import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { type disputeOutcomes, disputes } from '@/db/schema/disputes';
import { orders } from '@/db/schema/orders';
import { type PlacementRole, placements } from '@/db/schema/placements';
import type { Actor, AnyActor } from '@/lib/access/actor';
import type { Approval } from '@/lib/approvals/request';
import { transitions } from '@/lib/orders/contract';
import { findPlacement, type LockedPlacement } from './lock';
import { splitSettlement } from './split';
import { movePlacement } from './transition';

type Settlement = {
  /** The share of the charge that returns to the buyer: an integer from 0 to 100. */
  buyerPercent: number;
  /** The side for which the actor acts. */
  role: PlacementRole;
  outcome: Exclude<(typeof disputeOutcomes)[number], 'withdrawn'>;
  /** The reasons, for the buyer and the seller. */
  note?: string;
  approval?: Approval | undefined;
  isPartOfSave?: boolean;
};

/**
 * Ends a placement by a share for the buyer, and its open dispute if there is one.
 * @throws AppError conflict unless it is disputed or approved
 */
export async function settlePlacement(
  tx: Executor,
  actor: AnyActor,
  locked: LockedPlacement,
  { outcome, ...settlement }: Settlement,
): Promise<LockedPlacement> {
  const { buyerPercent, note = '' } = settlement;
  await tx
    .update(disputes)
    .set({
      state: 'settled',
      outcome,
      buyerPercent,
      note,
      returnedCents: splitSettlement(locked.placement, buyerPercent).buyerCents,
      decidedBy: actor.userId,
      decidedAt: locked.now,
      silenceDueAt: null,
      nextActionAt: null,
      version: sql`${disputes.version} + 1`,
    })
    .where(and(eq(disputes.orderId, locked.order.id), eq(disputes.state, 'open')));
  return movePlacement(tx, actor, locked, { ...settlement, action: 'settled' });
}

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
