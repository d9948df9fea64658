import { and, eq, notInArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { paymentReversals, topups } from '@/db/schema/topups';
import { type Actor, type AnyActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { AppError } from '@/lib/errors';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import { openProvider } from '@/lib/payments/providers/open-provider';
import { type DueCounts, type DueResult, processDue } from '@/lib/payments/providers/process-due';
import {
  isFinalRefusal,
  isOutage,
  type PaymentProvider,
  type RefundRequest,
  type ReversalEvidence,
} from '@/lib/payments/providers/provider';
import { failureReason, unlessRefused } from '@/lib/payments/providers/provider-calls';
import { reallocateExcess } from '@/lib/payments/reversals/reversal-share';
import { reverseTopup } from '@/lib/payments/reversals/reverse';
import { findPayment, type Topup } from '@/lib/payments/top-ups/queries';
import { recordAudit } from '@/lib/platform/audit/record';
import { getBackoffSeconds, isDue, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import type { SourceRefund } from './postings';
import { listPaymentRefunds, sumHeld } from './refundable';
import { returnToWallet } from './settle';
import { changeRefund } from './transition';

/** Lease of a refund, during which other instances skip it: longer than its calls to the provider take. */
const leaseSeconds = 120;
/** Between calls that failed, and between questions about a refund that the provider is working on. */
const backoff = { firstSeconds: 30, maxSeconds: 6 * 60 * 60 };

/**
 * Calls the provider for refunds whose call failed, was interrupted or is in progress there. Several instances may run
 * concurrently: each leases other rows. A repeated call has the same idempotency key, and asks first whether the
 * provider has made the refund.
 * @returns the number of refunds that ended, are in progress, and could not be processed
 */
export const sendRefunds = (): Promise<DueCounts> => processDue(leaseDue, processRefund);

/**
 * Calls the provider for a refund that was just started. Does not throw for errors of the provider: they are stored, and
 * the job repeats the call.
 */
export async function sendRefund(refund: SourceRefund): Promise<void> {
  await processRefund(refund);
}

/**
 * Makes the next attempt of a refund now.
 * @throws AppError conflict when the refund is not in progress
 */
export async function retryRefund(actor: Actor, id: string): Promise<void> {
  const refund = await db().transaction(async (tx) => {
    const [leased] = await tx
      .update(sourceRefunds)
      .set({ nextActionAt: secondsFromNow(leaseSeconds), attempts: sql`${sourceRefunds.attempts} + 1` })
      .where(and(eq(sourceRefunds.id, id), eq(sourceRefunds.state, 'processing')))
      .returning();
    if (!leased) throw new AppError('conflict', 'This refund is not in progress. Reload the page.');
    await recordAudit(tx, actor, {
      action: 'source_refund.retried',
      details: `The refund of ${formatMoney(leased.amountCents, leased.currency)} to the payment method was tried again.`,
      entityType: 'source_refund',
      entityId: id,
      amountCents: leased.amountCents,
    });
    return leased;
  });
  await processRefund(refund);
}

async function leaseDue(down: readonly string[], limit: number): Promise<SourceRefund[]> {
  const due = isDue({
    id: sourceRefunds.id,
    dueAt: sourceRefunds.nextActionAt,
    where: and(
      eq(sourceRefunds.state, 'processing'),
      notInArray(sql`${sourceRefunds.provider} || ':' || ${sourceRefunds.mode}`, [...down]),
    ),
    limit,
  });
  return db()
    .update(sourceRefunds)
    .set({ nextActionAt: secondsFromNow(leaseSeconds), attempts: sql`${sourceRefunds.attempts} + 1` })
    .where(due)
    .returning();
}

async function processRefund(refund: SourceRefund): Promise<DueResult> {
  const actor = systemActor(systemActors.refunds, 'job');
  try {
    const [topup] = await db().select().from(topups).where(eq(topups.id, refund.topupId));
    if (!topup) throw new Error(`The top-up of the refund ${refund.id} does not exist.`);
    const provider = await openProvider(refund.provider, refund.mode);
    const answer = await callProvider(provider, refund, toRequest(refund, topup));
    if ('refusal' in answer) await failRefund(actor, refund, answer.refusal);
    else await reverseTopup(actor, topup.id, answer.evidence);
    return { result: (await scheduleNext(refund)) ? 'waiting' : 'settled', isDown: false };
  } catch (thrown) {
    log().warn({ refund: refund.id, err: thrown }, 'A refund to the payment method could not be processed.');
    await scheduleNext(refund, failureReason(thrown));
    return { result: 'failed', isDown: isOutage(thrown) };
  }
}

const toRequest = (refund: SourceRefund, topup: Topup): RefundRequest => ({
  refundId: refund.id,
  topupId: topup.id,
  paymentReference: refund.paymentReference,
  providerReference: topup.providerReference,
  amountMinor: refund.chargeMinor ?? 0,
  currency: refund.chargeCurrency,
  chargeAmountMinor: topup.chargeAmountMinor,
});

type Answer = { evidence: ReversalEvidence } | { refusal: string };

/**
 * Asks for the refund, and requests it when the provider does not have it. Only the first attempt requests it at once: a
 * lost response may have been a success, and providers forget idempotency keys after a while. A refusal of the first
 * attempt is the answer, because no earlier call can have made the refund.
 */
async function callProvider(provider: PaymentProvider, refund: SourceRefund, request: RefundRequest): Promise<Answer> {
  const isFirst = refund.attempts <= 1;
  if (!isFirst || refund.providerReference !== null) {
    const found = await findMadeRefund(provider, request);
    if (found) return { evidence: found };
    if (refund.providerReference !== null || refund.money !== 'held') {
      throw new Error(`${providerNames[refund.provider]} does not find the refund that it made.`);
    }
  }
  try {
    return { evidence: await provider.refundPayment(request) };
  } catch (thrown) {
    if (!isFinalRefusal(thrown)) throw thrown;
    // An earlier call of ours may have used up what the payment had.
    const found = isFirst ? null : await findMadeRefund(provider, request);
    return found ? { evidence: found } : { refusal: failureReason(thrown) };
  }
}

/** Finds a refund that was made. A provider that does not know the order or payment has made no refund of it. */
const findMadeRefund = (provider: PaymentProvider, request: RefundRequest): Promise<ReversalEvidence | null> =>
  unlessRefused(provider.findRefund(request), 404);

/** Ends a refund that the provider refused: its money returns to the wallet. */
function failRefund(actor: AnyActor, { id, attempts }: SourceRefund, refusal: string): Promise<void> {
  return changeRefund(id, async (tx, refund, topup) => {
    // A webhook event may have settled it meanwhile, and a later attempt decides for itself.
    if (refund.money !== 'held' || refund.providerReference !== null || refund.attempts !== attempts) return;
    await returnToWallet(tx, actor, refund, {
      answer: `${providerNames[refund.provider]} refused the refund.`,
      error: refusal,
    });
    const payment = await findPayment(tx, topup.provider, refund.paymentReference);
    if (!payment) return;
    const others = await tx
      .select()
      .from(paymentReversals)
      .where(
        and(eq(paymentReversals.topupId, topup.id), eq(paymentReversals.paymentReference, refund.paymentReference)),
      );
    const held = sumHeld(await listPaymentRefunds(tx, topup.id, refund.paymentReference, 'held'));
    await reallocateExcess(tx, actor, { topup, payment, returned: { reference: id }, others, held });
  });
}

/**
 * Schedules the next attempt of a refund that is in progress.
 * @param error of this attempt; without it, the error of the provider's answer stays
 * @returns whether it is in progress
 */
async function scheduleNext({ id, attempts }: SourceRefund, error?: string): Promise<boolean> {
  const scheduled = await db()
    .update(sourceRefunds)
    .set({
      nextActionAt: secondsFromNow(getBackoffSeconds(attempts, backoff)),
      ...(error !== undefined && { error }),
    })
    .where(and(eq(sourceRefunds.id, id), eq(sourceRefunds.state, 'processing')))
    .returning({ id: sourceRefunds.id });
  return scheduled.length > 0;
}
