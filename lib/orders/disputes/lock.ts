import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { disputes } from '@/db/schema/disputes';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { type LockedPlacement, lockPlacement, requireOthersDelivery } from '@/lib/orders/placements/lock';
import type { DisputeReader } from './contract';
import { disputeNotFoundError, getDispute, getReader } from './queries';

export type LockedDispute = {
  dispute: typeof disputes.$inferSelect;
  locked: LockedPlacement;
  /** The side for which the actor acts. */
  side: DisputeReader;
};

/**
 * Locks an open dispute of the actor: the order, the placement and then the dispute.
 * @throws AppError not_found for a user who is neither a party nor staff; forbidden for a buyer who is the seller; conflict
 * for a dispute that ended
 */
export async function lockDispute(tx: Executor, actor: Actor, id: string): Promise<LockedDispute> {
  const known = await getDispute(id, tx);
  const side = getReader(actor, known);
  if (side === 'buyer') requireOthersDelivery(actor, known);
  return { ...(await lockOpenDispute(tx, known)), side };
}

/** Locks an open dispute. @throws AppError conflict for a dispute that ended */
export async function lockOpenDispute(
  tx: Executor,
  { id, orderId }: { id: string; orderId: number },
): Promise<Omit<LockedDispute, 'side'>> {
  const locked = await lockPlacement(tx, orderId);
  const [dispute] = await tx.select().from(disputes).where(eq(disputes.id, id)).for('no key update');
  if (!dispute) throw disputeNotFoundError();
  if (dispute.state !== 'open') {
    throw new AppError('conflict', `The dispute of order #${orderId} is ${dispute.state}: nothing can be changed.`);
  }
  return { dispute, locked };
}

/** Requires a party of the order. @throws AppError forbidden for staff, who decide instead */
export function requireParty(side: DisputeReader): 'buyer' | 'seller' {
  if (side !== 'staff') return side;
  throw new AppError('forbidden', 'Only the buyer and the seller can do this. Decide the dispute instead.');
}
