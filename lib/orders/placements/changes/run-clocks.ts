import { and, eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { orderChanges } from '@/db/schema/order-changes';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { findAndLockPlacement } from '@/lib/orders/placements/lock';
import { getBackoffSeconds, isDue, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { endChange } from './answer';
import { approveChange } from './approve';
import { isChangeOver } from './contract';
import { findWatch, getChangeRefusal } from './require-link';

const maxPerRun = 200;
/** Lease of a change, during which other instances skip it. */
const leaseSeconds = 120;
const backoff = { firstSeconds: 60, maxSeconds: 6 * 60 * 60 };

type Outcome = 'changesExpired' | 'changesApproved';
type Counts = Record<Outcome | 'changesFailed', number>;

/**
 * Does what the clocks of paid changes require: expires those without an answer, those that were not delivered in time and
 * deliveries whose page is no longer watched, which returns what was charged, and approves deliveries without an answer
 * whose link was found. Works as `runPlacementClocks` does.
 * @returns the number of changes by outcome
 */
export async function runChangeClocks(): Promise<Counts> {
  const counts: Counts = { changesExpired: 0, changesApproved: 0, changesFailed: 0 };
  for (let claimed = 0; claimed < maxPerRun; claimed += 1) {
    const due = await leaseDue();
    if (!due) break;
    try {
      const outcome = await db().transaction((tx) => runClock(tx, due));
      if (outcome) counts[outcome] += 1;
    } catch (thrown) {
      counts.changesFailed += 1;
      log().warn({ order: due.orderId, retries: due.retries, err: thrown }, 'The clock of a paid change failed.');
      await db()
        .update(orderChanges)
        .set({ nextActionAt: secondsFromNow(getBackoffSeconds(due.retries - 1, backoff)) })
        // A step since then has set the next turn.
        .where(and(eq(orderChanges.id, due.id), eq(orderChanges.retries, due.retries)));
    }
  }
  return counts;
}

type Due = { id: string; orderId: number; retries: number };

/** Leases the change that is due longest. Its next turn is postponed first, so that a crash does not lose it. */
async function leaseDue(): Promise<Due | undefined> {
  const { id, orderId, nextActionAt, retries, updatedAt } = orderChanges;
  const [due] = await db()
    .update(orderChanges)
    .set({ nextActionAt: secondsFromNow(leaseSeconds), retries: sql`${retries} + 1`, updatedAt: sql`${updatedAt}` })
    .where(isDue({ id, dueAt: nextActionAt, where: undefined, limit: 1 }))
    .returning({ id, orderId, retries });
  return due;
}

async function runClock(tx: Executor, { id, orderId }: Due): Promise<Outcome | null> {
  const locked = await findAndLockPlacement(tx, orderId);
  const [change] = await tx.select().from(orderChanges).where(eq(orderChanges.id, id)).for('no key update');
  const wait = async (nextActionAt: Date | null) => {
    await tx.update(orderChanges).set({ nextActionAt, retries: 0 }).where(eq(orderChanges.id, id));
    return null;
  };
  // A dispute pauses it.
  if (!locked || !change || isChangeOver(change) || locked.placement.state === 'disputed') return wait(null);
  if (change.dueAt !== null && change.dueAt > locked.now) return wait(change.dueAt);
  const actor = systemActor(systemActors.orderDeadlines, 'job');
  // Without a live link there is nothing to approve.
  if (change.state !== 'delivered' || getChangeRefusal(locked, await findWatch(tx, orderId)) !== null) {
    await endChange(tx, actor, { ...locked, change }, { action: 'expired', role: 'system' });
    return 'changesExpired';
  }
  // The check that finds the link in order sets the next turn.
  if (change.checkVerdict !== 'ok') return wait(null);
  await approveChange(tx, actor, { ...locked, change }, 'system');
  return 'changesApproved';
}
