import { asc, eq, inArray, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import type { NoticeKind } from '@/db/schema/notices';
import { type PayoutState, payouts, returnableStates } from '@/db/schema/payouts';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { apiUrl, eventFor, installationEvent, recordEvents } from '@/lib/events/record';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { queueMail } from '@/lib/mail/compose';
import { findMailRecipient } from '@/lib/mail/recipients';
import { PayoutMail } from '@/lib/mail/templates/sellers';
import { formatUsd } from '@/lib/money';
import { createNotification } from '@/lib/notifications/notifications';
import { recordAudit } from '@/lib/platform/audit/record';
import { getNetCents, type Payout, paidPostings, providerFeePosting, returnPostings } from './postings';

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

/** A payout that the bank or PayPal may have executed. */
export type Returnable = Payout & { state: (typeof returnableStates)[number] };
export const isReturnable = (payout: Payout): payout is Returnable =>
  returnableStates.some((state) => state === payout.state);

type Step = {
  to: PayoutState;
  /** A part of the audit log's sentence after the amount: "was paid". */
  what: string;
  /** What the step stores besides the state and its time. */
  change?: Partial<Omit<Payout, 'state' | 'version'>>;
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
  const requested = [...new Set(ids)];
  const rows = await tx
    .select()
    .from(payouts)
    .where(inArray(payouts.id, requested))
    .orderBy(asc(payouts.id))
    .for('no key update');
  if (rows.length === requested.length) return rows;
  throw new AppError('not_found', 'One of these payouts does not exist. Reload the page.');
}

/** Checks that a payout can be put into a batch. @throws AppError conflict for another kind of method, or state */
export function requireApproved(
  { amountCents, methodKind, state }: Payout,
  { kind, target, done }: { kind: Payout['methodKind']; target: string; done: string },
): void {
  const name = `The payout of ${formatUsd(amountCents)}`;
  if (methodKind !== kind) throw new AppError('conflict', `${name} does not go to ${target}.`);
  if (state !== 'approved') {
    throw new AppError('conflict', `${name} is ${state}. Only approved payouts can be ${done}.`);
  }
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
    details: `The payout of ${formatUsd(payout.amountCents)} ${what}.`,
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

type News = { notice: NoticeKind; heading: string; text: (payout: Payout) => string };

const withReason = (text: string, reason: string) => (reason ? `${text} Reason: ${reason}` : text);

/** The news of the states of which a seller is notified. */
const news: Partial<Record<PayoutState, News>> = {
  paid: {
    notice: 'payout.paid',
    heading: 'Your payout was sent',
    text: (payout) =>
      `${formatUsd(getNetCents(payout))} was sent to your payout method.${payout.reference ? ` Reference: ${payout.reference}` : ''}`,
  },
  failed: {
    notice: 'payout.failed',
    heading: 'Your payout was not sent',
    text: ({ amountCents, reason }) =>
      withReason(`${formatUsd(amountCents)} is in your balance again, and you can request a new payout.`, reason),
  },
  returned: {
    notice: 'payout.returned',
    heading: 'Your payout was returned',
    text: ({ amountCents, reason }) =>
      withReason(
        `The payment was returned to us. ${formatUsd(amountCents)} is in your balance again. Check your payout method before you request a new payout.`,
        reason,
      ),
  },
};

/** Records the events of a payout's new state, and notifies the seller by bell and mail. States that the seller need not know are left out. */
async function announcePayout(tx: Executor, actor: AnyActor, payout: Payout): Promise<void> {
  const message = news[payout.state];
  if (!message) return;
  const { sellerId, amountCents } = payout;
  await recordPayoutEvents(tx, payout);
  await createNotification(tx, actor, { userId: sellerId, kind: message.notice, subject: formatUsd(amountCents) });
  const recipient = await findMailRecipient(tx, sellerId);
  if (!recipient || recipient.off.has('seller-payout')) return;
  await queueMail(tx, {
    kind: 'seller-payout',
    to: recipient.email,
    subject: message.heading,
    body: (context) =>
      createElement(PayoutMail, {
        ...context,
        heading: message.heading,
        text: message.text(payout),
        url: `${context.appUrl}/seller/payouts`,
      }),
  });
}

async function recordPayoutEvents(tx: Executor, payout: Payout): Promise<void> {
  const { id: payoutId, sellerId, state, amountCents, feeCents, reference, reason } = payout;
  if (state !== 'paid' && state !== 'failed' && state !== 'returned') return;
  const data = { payoutId, state, amountCents, feeCents, reference, reason };
  await recordEvents(tx, [
    eventFor(`payout.${state}`, 'seller', sellerId, { ...data, url: apiUrl('/api/seller/payouts') }),
    installationEvent(`payout.${state}`, { ...data, sellerId, url: apiUrl('/api/admin/payouts') }),
  ]);
}
