import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { topups } from '@/db/schema/topups';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import type { Topup } from '@/lib/payments/top-ups/find-topup';
import type { SourceRefund } from './postings';

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
  const [refund] = await tx
    .insert(sourceRefunds)
    .values({
      id: newId(),
      topupId: topup.id,
      userId: topup.userId,
      provider: topup.provider,
      mode: topup.mode,
      paymentReference,
      amountCents,
      currency: topup.currency,
      chargeCurrency: topup.chargeCurrency,
      reason,
      requestedBy,
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

/** Locks a top-up, which serializes its refunds with every booking of its payments. @throws AppError not_found */
export async function lockTopup(tx: Executor, topupId: string): Promise<Topup> {
  const [topup] = await tx.select().from(topups).where(eq(topups.id, topupId)).for('no key update');
  if (!topup) throw new AppError('not_found', 'This top-up does not exist.');
  return topup;
}

/** Finds the request of a top-up that waits for staff. */
export async function findRequested(tx: Executor, topupId: string): Promise<SourceRefund | undefined> {
  const [found] = await tx
    .select()
    .from(sourceRefunds)
    .where(and(eq(sourceRefunds.topupId, topupId), eq(sourceRefunds.state, 'requested')));
  return found;
}
