import { asc, eq, inArray, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { type PayoutState, payouts } from '@/db/schema/payouts';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { formatMoney, walletCurrency } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { announcePayout } from './announce';
import { type Payout, paidPostings, providerFeePosting, returnPostings } from './postings';

/** The states that can follow each state. A payout that failed or was withdrawn is over; the seller requests a new one. */
const nextStates: Readonly<Record<PayoutState, readonly PayoutState[]>> = {
  requested: ['approved', 'failed', 'withdrawn'],
  // Paid without `sent`: by hand.
  approved: ['sent', 'paid', 'failed'],
  // Returned without `paid`: the recipient never claimed it.
  sent: ['paid', 'failed', 'returned'],
  paid: ['returned'],
  failed: [],
  returned: [],
  withdrawn: [],
};

type Step = {
  to: PayoutState;
  /** A part of the audit log's sentence after the amount: "was paid". */
  what: string;
  /** What the step stores besides the state and its time. */
  change?: Partial<
    Pick<
      Payout,
      | 'reference'
      | 'reason'
      | 'batchId'
      | 'providerReference'
      | 'providerStatus'
      | 'providerTransactionId'
      | 'providerFeeCents'
      | 'approvedBy'
      | 'approvedAt'
    >
  >;
};

export const payoutNotFoundError = () => new AppError('not_found', 'This payout does not exist.');

/** Locks a payout. @throws AppError not_found */
export async function lockPayout(tx: Executor, id: string): Promise<Payout> {
  const [payout] = await tx.select().from(payouts).where(eq(payouts.id, id)).for('no key update');
  if (!payout) throw payoutNotFoundError();
  return payout;
}

/** Locks payouts in the order of their ids, so that two batches cannot deadlock. @throws AppError not_found */
export async function lockPayouts(tx: Executor, ids: readonly string[]): Promise<Payout[]> {
  const wanted = [...new Set(ids)];
  const rows = await tx
    .select()
    .from(payouts)
    .where(inArray(payouts.id, wanted))
    .orderBy(asc(payouts.id))
    .for('no key update');
  if (rows.length === wanted.length) return rows;
  throw new AppError('not_found', 'One of these payouts does not exist. Reload the page.');
}

/**
 * Moves a locked payout to its next state, with its money, its line in the audit log and the mail to the seller. Call it
 * last in the transaction: it posts to the ledger. It is the only function that changes the state of a payout.
 * @throws AppError conflict for a state that cannot follow
 */
export async function movePayout(tx: Executor, actor: AnyActor, payout: Payout, step: Step): Promise<Payout> {
  const { to, what, change } = step;
  if (!nextStates[payout.state].includes(to)) {
    throw new AppError('conflict', `This payout is ${payout.state} and cannot become ${to}. Reload the page.`);
  }
  const isEnd = to === 'failed' || to === 'returned' || to === 'withdrawn';
  const [after] = await tx
    .update(payouts)
    .set({
      ...change,
      state: to,
      ...(to === 'sent' && { sentAt: sql`now()` }),
      ...(to === 'paid' && { paidAt: sql`now()` }),
      ...(isEnd && { endedAt: sql`now()` }),
      version: sql`${payouts.version} + 1`,
    })
    .where(eq(payouts.id, payout.id))
    .returning();
  if (!after) throw payoutNotFoundError();
  await recordAudit(tx, actor, {
    action: `payout.${to}`,
    details: `The payout of ${formatMoney(payout.amountCents, walletCurrency)} ${what}.`,
    entityType: 'payout',
    entityId: payout.id,
    amountCents: payout.amountCents,
    before: { state: payout.state },
    after: { state: to, ...change },
  });
  await announcePayout(tx, actor, after);
  const chargedCents = after.providerFeeCents - payout.providerFeeCents;
  const transfers = [
    ...(to === 'paid' ? paidPostings(payout, actor.userId) : []),
    ...(isEnd ? returnPostings(payout, actor.userId, payout.state === 'paid') : []),
    ...(chargedCents > 0 ? [providerFeePosting(payout, actor.userId, chargedCents)] : []),
  ];
  if (transfers.length > 0) await postTransfers(tx, transfers);
  return after;
}

/** Runs a change of one payout in a transaction of its own, under the payout's lock. */
export const changePayout = (id: string, change: (tx: Executor, payout: Payout) => Promise<Payout>): Promise<Payout> =>
  db().transaction(async (tx) => change(tx, await lockPayout(tx, id)));
