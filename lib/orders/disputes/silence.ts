import { and, desc, eq, lte, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { disputeProposals, disputes } from '@/db/schema/disputes';
import { orders } from '@/db/schema/orders';
import { systemActor } from '@/lib/access/actor';
import { settlePlacement } from '@/lib/orders/placements/settle';
import { getBackoffSeconds, isDue, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { lockOpenDispute } from './lock';

/** The number of disputes in one run; the next run continues. */
const maxPerRun = 500;
/** Lease of a dispute, during which other instances skip it. */
const leaseSeconds = 120;
const backoff = { firstSeconds: 60, maxSeconds: 6 * 60 * 60 };

/**
 * Settles the disputes whose newest proposal was not answered in time, by that proposal. Each dispute has a transaction of
 * its own. Several instances may run concurrently: each leases other rows. A dispute that fails is tried again later and
 * does not stop the others.
 * @returns the number of settled disputes, and of those that failed
 */
export async function settleSilentDisputes(): Promise<{ settled: number; failed: number }> {
  const counts = { settled: 0, failed: 0 };
  for (let taken = 0; taken < maxPerRun; taken += 1) {
    const due = await leaseDue();
    if (!due) break;
    try {
      if (await db().transaction((tx) => settleBySilence(tx, due))) counts.settled += 1;
    } catch (thrown) {
      counts.failed += 1;
      log().error(
        { disputeId: due.id, retries: due.retries, err: thrown },
        'A dispute could not be settled by its proposal.',
      );
      await scheduleRetry(due);
    }
  }
  return counts;
}

type Due = { id: string; orderId: number; retries: number };

/** Leases the dispute that is due longest. Its next turn is postponed first, so that a crash does not lose it. */
async function leaseDue(): Promise<Due | undefined> {
  const { id, orderId, nextActionAt, clockRetries, updatedAt } = disputes;
  const [due] = await db()
    .update(disputes)
    // The lease is no change that readers see.
    .set({
      nextActionAt: secondsFromNow(leaseSeconds),
      clockRetries: sql`${clockRetries} + 1`,
      updatedAt: sql`${updatedAt}`,
    })
    .where(isDue({ id, dueAt: nextActionAt, where: undefined, limit: 1 }))
    .returning({ id, orderId, retries: clockRetries });
  return due;
}

/** @returns whether the dispute was settled: it did not end, and no newer proposal was made, before the lock */
async function settleBySilence(tx: Executor, { id, orderId }: Due): Promise<boolean> {
  await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for('no key update');
  const [due] = await tx
    .select({ id: disputes.id })
    .from(disputes)
    .where(and(eq(disputes.id, id), lte(disputes.silenceDueAt, sql`now()`)));
  if (!due) return false;
  const { locked } = await lockOpenDispute(tx, { id, orderId });
  const [proposal] = await tx
    .select()
    .from(disputeProposals)
    .where(eq(disputeProposals.disputeId, id))
    .orderBy(desc(disputeProposals.number))
    .limit(1);
  if (!proposal) throw new Error(`Dispute ${id} is due without a proposal.`);
  await tx.update(disputeProposals).set({ acceptedAt: locked.now }).where(eq(disputeProposals.id, proposal.id));
  await settlePlacement(tx, systemActor('Placement clocks', 'job'), locked, {
    buyerPercent: proposal.buyerPercent,
    role: 'system',
    outcome: 'silence',
  });
  return true;
}

async function scheduleRetry({ id, retries }: Due): Promise<void> {
  await db()
    .update(disputes)
    .set({
      nextActionAt: secondsFromNow(getBackoffSeconds(retries - 1, backoff)),
      updatedAt: sql`${disputes.updatedAt}`,
    })
    // A proposal since then has set the next turn, and an ended dispute has none.
    .where(and(eq(disputes.id, id), eq(disputes.state, 'open'), eq(disputes.clockRetries, retries)));
}
