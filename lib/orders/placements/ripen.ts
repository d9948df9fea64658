import { eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { placements } from '@/db/schema/placements';
import type { AnyActor } from '@/lib/access/actor';
import { postTransfers } from '@/lib/ledger/post-transfer';
import type { LockedPlacement } from './lock';
import { getGuarantee, getRipe } from './shares';
import { createRipeningTransfers } from './transfers';
import { movePlacement } from './transition';

/**
 * Makes payable what a link that is in order has earned until now, and closes the placement at the end of its guarantee.
 * In a dispute only the guarantee moves. Does nothing in other states.
 * @param notOkSince since when the link was not in order before; the guarantee is later by that time, and null for none
 */
export async function ripenPlacement(
  tx: Executor,
  actor: AnyActor,
  locked: LockedPlacement,
  notOkSince: Date | null,
): Promise<LockedPlacement> {
  const { order, placement: before, now } = locked;
  const guarantee = getGuarantee(before);
  const isDisputed = before.state === 'disputed';
  if (!guarantee || (before.state !== 'approved' && !isDisputed)) return locked;
  const guaranteeStartsAt = postpone(guarantee.startsAt, notOkSince, now);
  const placement = { ...before, guaranteeStartsAt };
  if (isDisputed) {
    await tx.update(placements).set({ guaranteeStartsAt }).where(eq(placements.orderId, order.id));
    return { ...locked, placement };
  }
  const endsAt = getGuarantee(placement)?.endsAt;
  if (endsAt && endsAt <= now)
    return movePlacement(tx, actor, { ...locked, placement }, { action: 'closed', role: 'system' });
  const ripenedCents = getRipe(placement, now);
  const transfers = createRipeningTransfers(order, before, ripenedCents, { actorId: actor.userId });
  const after = { ...placement, ripenedCents, ripenCount: before.ripenCount + transfers.length };
  await tx
    .update(placements)
    .set({
      guaranteeStartsAt,
      ripenedCents,
      ripenCount: after.ripenCount,
      // The version stays: no request of a user is based on what changes here.
      updatedAt: sql`now()`,
    })
    .where(eq(placements.orderId, order.id));
  await postTransfers(tx, transfers);
  return { ...locked, placement: after };
}

/**
 * Moves the guarantee by the time in which the link was not in order until now, before another page is watched instead of
 * this one. Does nothing before the approval.
 */
export async function postponeGuarantee(tx: Executor, { order, placement, now }: LockedPlacement): Promise<void> {
  const guarantee = getGuarantee(placement);
  if (!guarantee) return;
  const [watch] = await tx.select().from(linkWatches).where(eq(linkWatches.orderId, order.id)).for('no key update');
  const guaranteeStartsAt = postpone(guarantee.startsAt, watch?.notOkSince ?? null, now);
  await tx.update(placements).set({ guaranteeStartsAt }).where(eq(placements.orderId, order.id));
}

/** Returns when a guarantee starts whose link was not in order since a time; null for in order. */
function postpone(startsAt: Date, notOkSince: Date | null, now: Date): Date {
  if (notOkSince === null) return startsAt;
  const pausedMs = now.getTime() - Math.max(notOkSince.getTime(), startsAt.getTime());
  return new Date(startsAt.getTime() + Math.max(pausedMs, 0));
}
