import { and, desc, eq, lte, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { disputeProposals, disputes } from '@/db/schema/disputes';
import { orders } from '@/db/schema/orders';
import { type Actor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { addDays } from '@/lib/orders/placements/clocks';
import { settlePlacement } from '@/lib/orders/placements/review';
import { movePlacement } from '@/lib/orders/placements/transition';
import { getBackoffSeconds, isDue, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { type DisputeView, disputeView, type ProposeInput } from './contract';
import { lockDispute, lockOpenDispute, requireParty } from './lock';
import { getDispute } from './queries';

/**
 * Proposes the share of the charge that returns to the buyer. It replaces an earlier proposal of the same side, and counts
 * as accepted if the other side does not answer within the `silenceDays` of the placement rules. Repeating the newest
 * proposal changes nothing.
 * @throws AppError not_found, forbidden for staff, conflict for a dispute that ended or a stale `version`
 */
export async function proposeSettlement(
  actor: Actor,
  id: string,
  { buyerPercent, version }: ProposeInput,
): Promise<DisputeView> {
  const reader = await db().transaction(async (tx) => {
    const { dispute, locked, side } = await lockDispute(tx, actor, id);
    const role = requireParty(side);
    const newest = await findNewestProposal(tx, id);
    if (newest?.role === role && newest.buyerPercent === buyerPercent) return role;
    requireVersion(dispute, version, `The dispute of order #${dispute.orderId}`);
    const { silenceDays } = locked.rules;
    await tx.insert(disputeProposals).values({
      id: newId(),
      disputeId: id,
      number: (newest?.number ?? 0) + 1,
      madeBy: actor.userId,
      role,
      buyerPercent,
    });
    const silenceDueAt = addDays(locked.now, silenceDays);
    await tx
      .update(disputes)
      .set({ silenceDueAt, nextActionAt: silenceDueAt, clockRetries: 0, version: dispute.version + 1 })
      .where(eq(disputes.id, id));
    await movePlacement(tx, actor, locked, {
      action: 'proposal_made',
      role,
      note: `The ${role} proposes that ${buyerPercent}% of the charge returns to the buyer. Without an answer within ${silenceDays} ${silenceDays === 1 ? 'day' : 'days'}, the proposal counts as accepted.`,
    });
    return role;
  });
  return disputeView(await getDispute(id), reader);
}

async function findNewestProposal(tx: Executor, disputeId: string) {
  const [newest] = await tx
    .select()
    .from(disputeProposals)
    .where(eq(disputeProposals.disputeId, disputeId))
    .orderBy(desc(disputeProposals.number))
    .limit(1);
  return newest;
}

/**
 * Accepts the other side's proposal, which settles the dispute.
 * @param number the proposal's number, from 1
 * @throws AppError not_found, forbidden for staff, conflict for the own proposal, for one that a newer proposal of its side
 * replaced, for a dispute that ended and for a stale `version`
 */
export async function acceptProposal(actor: Actor, id: string, number: number, version?: number): Promise<DisputeView> {
  const reader = await db().transaction(async (tx) => {
    const { dispute, locked, side } = await lockDispute(tx, actor, id);
    const role = requireParty(side);
    const proposals = await tx.select().from(disputeProposals).where(eq(disputeProposals.disputeId, id));
    const proposal = proposals.find((one) => one.number === number);
    if (!proposal) throw new AppError('not_found', `Proposal ${number} does not exist.`);
    if (proposal.role === role) {
      throw new AppError('conflict', 'This is your own proposal. Only the other side can accept it.');
    }
    const newer = proposals.find((one) => one.role === proposal.role && one.number > number);
    if (newer) throw new AppError('conflict', `Proposal ${number} was replaced by a newer one. Reload the dispute.`);
    requireVersion(dispute, version, `The dispute of order #${dispute.orderId}`);
    await tx
      .update(disputeProposals)
      .set({ acceptedAt: locked.now })
      .where(and(eq(disputeProposals.disputeId, id), eq(disputeProposals.number, number)));
    await settlePlacement(tx, actor, locked, {
      buyerPercent: proposal.buyerPercent,
      role,
      outcome: 'agreed',
    });
    return role;
  });
  return disputeView(await getDispute(id), reader);
}

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
  for (let claimed = 0; claimed < maxPerRun; claimed += 1) {
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

/** Settles a dispute. @returns whether it was settled: it did not end, and got no newer proposal, before the lock */
async function settleBySilence(tx: Executor, { id, orderId }: Due): Promise<boolean> {
  await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for('no key update');
  const [due] = await tx
    .select({ id: disputes.id })
    .from(disputes)
    .where(and(eq(disputes.id, id), lte(disputes.silenceDueAt, sql`now()`)));
  if (!due) return false;
  const { locked } = await lockOpenDispute(tx, { id, orderId });
  const proposal = await findNewestProposal(tx, id);
  if (!proposal) throw new Error(`Dispute ${id} is due without a proposal.`);
  await tx.update(disputeProposals).set({ acceptedAt: locked.now }).where(eq(disputeProposals.id, proposal.id));
  await settlePlacement(tx, systemActor(systemActors.orderDeadlines, 'job'), locked, {
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
