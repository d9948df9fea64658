import { and, eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { placements } from '@/db/schema/placements';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { getBackoffSeconds, isDue, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { type ClockAction, getDueAction, getNextActionAt } from './clocks';
import { findAndLockPlacement, type LockedPlacement } from './lock';
import { approveDelivery, cancelPlacement } from './review';
import { movePlacement } from './transition';

const maxPerRun = 200;
/** Lease of a placement, during which other instances skip it. */
const leaseSeconds = 120;
const backoff = { firstSeconds: 60, maxSeconds: 6 * 60 * 60 };

type Counts = Record<ClockAction | 'failed', number>;

/**
 * Does what the clocks of placements require: reminds sellers, expires offers without an answer, tells both sides that a
 * delivery is late, cancels it later, and approves deliveries without an answer. Each placement has a transaction of its
 * own, which checks under the lock what is due. Several instances may run concurrently: each leases other rows. A
 * placement that fails is tried again later and does not stop the others.
 * @returns the number of placements by action
 */
export async function runPlacementClocks(): Promise<Counts> {
  const counts: Counts = { reminded: 0, expired: 0, became_late: 0, cancelled: 0, approved: 0, failed: 0 };
  for (let claimed = 0; claimed < maxPerRun; claimed += 1) {
    const due = await leaseDue();
    if (!due) break;
    try {
      const action = await db().transaction((tx) => runClock(tx, due.orderId));
      if (action) counts[action] += 1;
    } catch (thrown) {
      counts.failed += 1;
      log().warn({ order: due.orderId, retries: due.retries, err: thrown }, 'The clock of a placement failed.');
      await scheduleRetry(due);
    }
  }
  return counts;
}

type Due = { orderId: number; retries: number };

/** Leases the placement that is due longest. Its next turn is postponed first, so that a crash does not lose it. */
async function leaseDue(): Promise<Due | undefined> {
  const { orderId, nextActionAt, clockRetries, updatedAt } = placements;
  const [due] = await db()
    .update(placements)
    // The lease is no change that readers see.
    .set({
      nextActionAt: secondsFromNow(leaseSeconds),
      clockRetries: sql`${clockRetries} + 1`,
      updatedAt: sql`${updatedAt}`,
    })
    .where(isDue({ id: orderId, dueAt: nextActionAt, where: undefined, limit: 1 }))
    .returning({ orderId, retries: clockRetries });
  return due;
}

async function runClock(tx: Executor, orderId: number): Promise<ClockAction | null> {
  const locked = await findAndLockPlacement(tx, orderId);
  if (!locked) {
    await tx.update(placements).set({ nextActionAt: null }).where(eq(placements.orderId, orderId));
    return null;
  }
  const { placement, rules, now } = locked;
  const action = getDueAction(placement, rules, now);
  if (action === 'approved' && !(await isLinkInOrder(tx, locked))) {
    // The check that finds the link in order sets the next turn.
    await tx.update(placements).set({ nextActionAt: null, clockRetries: 0 }).where(eq(placements.orderId, orderId));
    return null;
  }
  if (action) {
    await takeAction(tx, locked, action);
    return action;
  }
  // The placement moved, or the rules changed, since its next turn was set.
  const nextActionAt = getNextActionAt(placement, rules, now);
  await tx.update(placements).set({ nextActionAt, clockRetries: 0 }).where(eq(placements.orderId, orderId));
  return null;
}

/** Checks whether the newest check found the link of a delivery. */
async function isLinkInOrder(tx: Executor, { order }: LockedPlacement): Promise<boolean> {
  const [watch] = await tx.select().from(linkWatches).where(eq(linkWatches.orderId, order.id));
  return watch?.verdict === 'ok';
}

async function takeAction(tx: Executor, locked: LockedPlacement, action: ClockAction): Promise<void> {
  const actor = systemActor(systemActors.orderDeadlines, 'job');
  const role = 'system';
  switch (action) {
    case 'approved':
      await approveDelivery(tx, actor, locked, { role });
      return;
    case 'cancelled':
      await cancelPlacement(tx, actor, locked, { role });
      return;
    case 'expired':
      await movePlacement(tx, actor, locked, { action, role });
      return;
    case 'reminded':
    case 'became_late':
      await movePlacement(tx, actor, locked, { action, role, set: { remindedAt: locked.now } });
  }
}

async function scheduleRetry({ orderId, retries }: Due): Promise<void> {
  await db()
    .update(placements)
    .set({
      nextActionAt: secondsFromNow(getBackoffSeconds(retries - 1, backoff)),
      updatedAt: sql`${placements.updatedAt}`,
    })
    // A step since then has set the next turn.
    .where(and(eq(placements.orderId, orderId), eq(placements.clockRetries, retries)));
}
