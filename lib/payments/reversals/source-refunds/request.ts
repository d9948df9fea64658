import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { sourceRefunds } from '@/db/schema/source-refunds';
import type { Actor } from '@/lib/access/actor';
import { rejectObsolete } from '@/lib/approvals/decide';
import { requireOthersAccount } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import type { Topup } from '@/lib/payments/top-ups/queries';
import { lockTopup } from '@/lib/payments/top-ups/queries';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { requireFlag } from '@/lib/settings/feature-flags';
import type { RequestRefundInput } from './contract';
import { refundSubject, type SourceRefund } from './postings';
import { findRefundable, requireRefundable } from './refundable';
import { auditRefund, changeRefundIn, moveRefund, notifyOfRefund, refundNotFoundError } from './transition';

/**
 * Requests a refund of a buyer's top-up to the card or account that paid it. No money moves until staff approve it.
 * @param key a repeat with the same Idempotency-Key and request returns the first refund
 * @throws AppError not_configured while these refunds are turned off, not_found, also for the top-up of another user,
 * conflict while a request of this top-up waits or nothing can be refunded, invalid_input for an amount that is not there
 */
export async function requestRefund(actor: Actor, input: RequestRefundInput, key: string | null = null) {
  const first = await findByKey(db(), actor.userId, key, input);
  if (first) return first;
  await consumeLimit('refundRequest', { account: actor.userId, address: actor.ip });
  return db().transaction(async (tx) => {
    await requireFlag('refunds-to-source', tx);
    const topup = await lockTopup(tx, input.topupId);
    if (topup.accountId !== actor.accountId) throw new AppError('not_found', 'This top-up does not exist.');
    const repeated = await findByKey(tx, actor.userId, key, input);
    if (repeated) return repeated;
    if (await findRequested(tx, topup.id)) {
      throw new AppError(
        'conflict',
        'You requested a refund of this top-up already. Wait for our answer, or withdraw it.',
      );
    }
    const { paymentReference } = requireRefundable(await findRefundable(tx, topup), input.amountCents, topup.currency);
    const refund = await insertRefund(tx, { ...input, topup, paymentReference, requestedBy: actor.userId, key });
    await auditRefund(tx, actor, refund, {
      what: 'was requested by the buyer',
      after: { topupId: topup.id, reason: refund.reason },
    });
    await notifyOfRefund(tx, actor, refund);
    return refund;
  });
}

/**
 * Withdraws a request of the buyer before its approval.
 * @throws AppError not_found, also for the refund of another user, conflict after the approval
 */
export const withdrawRefund = (actor: Actor, id: string): Promise<SourceRefund> =>
  endRequest(actor, id, 'The buyer withdrew the request', async (tx, refund) => {
    if (refund.accountId !== actor.accountId) throw refundNotFoundError();
    requireRequested(refund, 'withdrawn');
    return moveRefund(tx, actor, refund, { to: 'withdrawn', what: 'was withdrawn by the buyer' });
  });

/**
 * Declines a request of a buyer. The money stays in the wallet, and the buyer reads the reason.
 * @throws AppError not_found, forbidden for the actor's own request, conflict for another state
 */
export const declineRefund = (actor: Actor, id: string, { reason }: { reason: string }): Promise<SourceRefund> =>
  endRequest(actor, id, 'The request of the buyer was declined', async (tx, refund) => {
    await requireOthersAccount(tx, actor, refund.accountId, 'decline your own refund');
    requireRequested(refund, 'declined');
    return moveRefund(tx, actor, refund, {
      to: 'declined',
      what: `was declined: ${reason}`,
      change: { answer: reason, declinedBy: actor.userId },
    });
  });

/** Changes a refund that will not be made, and rejects the request for its approval by a second person, if any. */
const endRequest = (
  actor: Actor,
  id: string,
  why: string,
  change: (tx: Executor, refund: SourceRefund) => Promise<SourceRefund>,
): Promise<SourceRefund> =>
  db().transaction(async (tx) => {
    await rejectObsolete(tx, actor, refundSubject(id), why);
    return changeRefundIn(tx, id, change);
  });

function requireRequested({ state }: SourceRefund, verb: string): void {
  if (state === 'requested') return;
  const why = state === 'processing' ? 'in progress at the payment provider' : state;
  throw new AppError('conflict', `This refund is ${why} and can no longer be ${verb}.`);
}

type Intent = {
  topup: Topup;
  paymentReference: string;
  amountCents: number;
  reason: string;
  requestedBy: string;
  key: string | null;
};

const hashRequest = (topupId: string, amountCents: number, reason: string) =>
  createHash('sha256')
    .update(JSON.stringify([topupId, amountCents, reason]))
    .digest('hex');

/** Inserts a refund in the state `requested`, in which no money has moved. */
export async function insertRefund(tx: Executor, intent: Intent): Promise<SourceRefund> {
  const { topup, paymentReference, amountCents, reason, requestedBy, key } = intent;
  const { accountId, provider, mode, currency, chargeCurrency } = topup;
  const [refund] = await tx
    .insert(sourceRefunds)
    .values({
      id: newId(),
      topupId: topup.id,
      ...{ accountId, provider, mode, currency, chargeCurrency, paymentReference, amountCents, reason, requestedBy },
      idempotencyKey: key,
      requestHash: key === null ? null : hashRequest(topup.id, amountCents, reason),
    })
    .returning();
  if (!refund) throw new Error('The refund was not inserted.');
  return refund;
}

/**
 * Finds the refund that a person requested with an Idempotency-Key.
 * @throws AppError conflict when the key was used for another refund
 */
export async function findByKey(
  tx: Executor,
  requestedBy: string,
  key: string | null,
  { topupId, amountCents, reason }: { topupId: string; amountCents: number; reason: string },
): Promise<SourceRefund | undefined> {
  if (key === null) return undefined;
  const [found] = await tx
    .select()
    .from(sourceRefunds)
    .where(and(eq(sourceRefunds.requestedBy, requestedBy), eq(sourceRefunds.idempotencyKey, key)));
  if (!found || found.requestHash === hashRequest(topupId, amountCents, reason)) return found;
  const message = 'This Idempotency-Key was already used for another refund.';
  throw new AppError('conflict', message, { fields: { idempotencyKey: message } });
}

/** Finds the request of a top-up that waits for staff. */
export async function findRequested(tx: Executor, topupId: string): Promise<SourceRefund | undefined> {
  const [found] = await tx
    .select()
    .from(sourceRefunds)
    .where(and(eq(sourceRefunds.topupId, topupId), eq(sourceRefunds.state, 'requested')));
  return found;
}
