import { and, asc, desc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { db, type Executor } from '../../../db/client';
import { disputeProposals, disputes } from '../../../db/schema/disputes';
import { orders } from '../../../db/schema/orders';
import { systemActor } from '../../access/actor';
import { log } from '../../platform/log/log';
import { settlePlacement } from '../placements/settle';
import { lockOpenDispute } from './lock';

/** The number of disputes in one run; the next run continues. */
const maxPerRun = 500;

const isDue = and(isNotNull(disputes.silenceDueAt), lte(disputes.silenceDueAt, sql`now()`));

/**
 * Settles the disputes whose newest proposal was not answered in time, by that proposal. Several instances may run it at
 * once: an order that another transaction has locked is left to the next run.
 * @returns the number of settled disputes, and of those that failed
 */
export async function settleSilentDisputes(): Promise<{ settled: number; failed: number }> {
  const due = await db()
    .select({ id: disputes.id, orderId: disputes.orderId })
    .from(disputes)
    .where(isDue)
    .orderBy(asc(disputes.silenceDueAt))
    .limit(maxPerRun);
  const counts = { settled: 0, failed: 0 };
  for (const dispute of due) {
    try {
      if (await db().transaction((tx) => settleBySilence(tx, dispute))) counts.settled += 1;
    } catch (thrown) {
      log().error({ disputeId: dispute.id, err: thrown }, 'A dispute could not be settled by its proposal.');
      counts.failed += 1;
    }
  }
  return counts;
}

/** @returns whether the dispute was settled: it was still due, and its order was not locked */
async function settleBySilence(tx: Executor, { id, orderId }: { id: string; orderId: number }): Promise<boolean> {
  const free = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.id, orderId))
    .for('no key update', { skipLocked: true });
  if (free.length === 0) return false;
  const [due] = await tx
    .select({ id: disputes.id })
    .from(disputes)
    .where(and(eq(disputes.id, id), isDue));
  if (!due) return false;
  const { locked } = await lockOpenDispute(tx, { id, orderId });
  const [proposal] = await tx
    .select()
    .from(disputeProposals)
    .where(eq(disputeProposals.disputeId, id))
    .orderBy(desc(disputeProposals.number))
    .limit(1);
  if (!proposal) return false;
  await tx.update(disputeProposals).set({ acceptedAt: locked.now }).where(eq(disputeProposals.id, proposal.id));
  await settlePlacement(tx, systemActor('Placement clocks', 'job'), locked, {
    buyerPercent: proposal.buyerPercent,
    role: 'system',
    outcome: 'silence',
  });
  return true;
}
