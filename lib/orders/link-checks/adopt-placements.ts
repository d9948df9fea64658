import { eq } from 'drizzle-orm';
import { db } from '../../../db/client';
import { orders } from '../../../db/schema/orders';
import { isWithoutGuarantee, placements } from '../../../db/schema/placements';
import type { Transaction } from '../../../db/transaction';
import { systemActor } from '../../access/actor';
import { postTransfers } from '../../ledger/post-transfer';
import { watchLink } from '../placements/follow-link';
import { findPlacement, type LockedPlacement, movePlacement } from '../placements/move';
import { createRipeningTransfers } from '../placements/transfers';

const maxPerRun = 200;

/**
 * Starts the guarantee and the watch of placements that a version without link checks approved. The guarantee counts from
 * the approval. A deleted order is closed. What is pending of placements that such a version closed or settled becomes
 * payable. Later versions leave none, and an index holds those that are left.
 * @returns the number of placements
 */
export async function adoptPlacements(): Promise<number> {
  const found = await db()
    .select({ orderId: placements.orderId })
    .from(placements)
    .where(isWithoutGuarantee)
    .limit(maxPerRun);
  let adopted = 0;
  for (const { orderId } of found) adopted += await db().transaction((tx) => adopt(tx, orderId));
  return adopted;
}

/** @returns 0 if another instance was faster */
async function adopt(tx: Transaction, orderId: number): Promise<number> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('no key update');
  const locked = order && (await findPlacement(tx, order));
  if (!locked) return 0;
  const { placement } = locked;
  if (placement.state === 'closed' || placement.state === 'settled') return ripenRest(tx, locked);
  if (placement.state !== 'approved' || placement.guaranteeStartsAt !== null) return 0;
  if (order.deletedAt !== null) {
    await movePlacement(tx, systemActor('Link checks', 'job'), locked, { action: 'closed', role: 'system' });
    return 1;
  }
  await tx.update(placements).set({ guaranteeStartsAt: placement.approvedAt }).where(eq(placements.orderId, orderId));
  await watchLink(tx, order, placement);
  return 1;
}

/** Makes payable what is pending of a placement that is over. */
async function ripenRest(tx: Transaction, { order, placement }: LockedPlacement): Promise<number> {
  const ripenedCents = placement.sellerCents - placement.sellerReturnedCents;
  const transfers = createRipeningTransfers(order, placement, ripenedCents, { actorId: null });
  if (transfers.length === 0) return 0;
  await tx
    .update(placements)
    .set({ ripenedCents, ripenCount: placement.ripenCount + transfers.length })
    .where(eq(placements.orderId, order.id));
  await postTransfers(tx, transfers);
  return 1;
}
