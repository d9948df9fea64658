import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { payoutBatches } from '@/db/schema/payouts';
import { type PaymentProviderName, webhookEvents } from '@/db/schema/topups';
import type { SystemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import {
  type EventSubject,
  type Evidence,
  type PaymentEvidence,
  type PaymentProvider,
  ProviderError,
  type ProviderEvent,
  type ReversalEvidence,
} from '@/lib/payments/providers/provider';
import { failureReason } from '@/lib/payments/providers/provider-calls';
import { returnDisputedFunds } from '@/lib/payments/reversals/return-disputed';
import { reverseTopup } from '@/lib/payments/reversals/reverse';
import { retrieveCheckout } from '@/lib/payments/top-ups/checkout';
import { isOtherCheckout } from '@/lib/payments/top-ups/payment-issues';
import { findPayment, findTopup, type Topup } from '@/lib/payments/top-ups/queries';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { recordAudit } from '@/lib/platform/audit/record';

/**
 * Settles or reverses the top-up of a stored, verified webhook event, or makes its batch of payouts due, and marks the
 * event as processed. The event only identifies objects; amounts and states are retrieved from the provider, so a forged
 * event moves no money even if the signing secret leaked. Idempotent, also for concurrent calls.
 * @param provider in the mode of the event
 * @param storedId the id of the event's row
 * @throws Error when processing fails, e.g. because the provider does not respond; the reason is stored with the row,
 * and the event is retried
 */
export async function processEvent(
  actor: SystemActor,
  provider: PaymentProvider,
  event: ProviderEvent,
  storedId: string,
): Promise<void> {
  try {
    await applyEvent(actor, provider, event, storedId);
  } catch (thrown) {
    const error = failureReason(thrown);
    // Unless another process has finished it.
    await db()
      .update(webhookEvents)
      .set({ error })
      .where(and(eq(webhookEvents.id, storedId), isNull(webhookEvents.processedAt)));
    throw new Error(`The ${provider.name} event ${event.eventId} (${event.type}) failed: ${error}`, { cause: thrown });
  }
}

async function applyEvent(actor: SystemActor, provider: PaymentProvider, event: ProviderEvent, storedId: string) {
  const received: Evidence[] = [];
  for (const subject of event.subjects()) {
    if (isAboutPayouts(subject)) await wakePayoutBatch(provider, subject);
    else received.push(...(await provider.retrieveEvidence(subject)));
  }
  const unknown: Evidence[] = [];
  for (const evidence of received) {
    const topup = await findTopup(provider.name, evidence);
    if (topup === null) unknown.push(evidence);
    else if (evidence.about === 'payment')
      await settleTopup(actor, topup.id, await collectIfApproved(provider, topup, evidence));
    else await applyReversal(actor, provider, topup, evidence);
  }
  await (unknown.length > 0 ? markUnknown(actor, unknown, storedId) : markProcessed(storedId));
}

/** Collects an approved payment of the top-up's own checkout. */
async function collectIfApproved(provider: PaymentProvider, topup: Topup, evidence: PaymentEvidence) {
  const { outcome, providerReference } = evidence;
  if (outcome === 'paid' || !evidence.isCollectable || isOtherCheckout(topup, evidence)) return evidence;
  return providerReference === null ? evidence : retrieveCheckout(topup, providerReference, provider);
}

/** Books a refund or dispute. It may arrive before its payment; then the payment is settled first. */
async function applyReversal(actor: SystemActor, provider: PaymentProvider, topup: Topup, evidence: ReversalEvidence) {
  if (
    topup.providerReference !== null &&
    (await findPayment(db(), topup.provider, evidence.paymentReference)) === null
  ) {
    await settleTopup(actor, topup.id, await retrieveCheckout(topup, topup.providerReference, provider));
  }
  await reverseTopup(actor, topup.id, evidence);
  if (evidence.kind === 'dispute') await returnDisputedFunds(actor, topup, evidence, provider);
}

async function markProcessed(storedId: string): Promise<void> {
  await db()
    .update(webhookEvents)
    .set({ processedAt: new Date(), retryAt: null, error: null })
    .where(eq(webhookEvents.id, storedId));
}

/**
 * Marks a verified event without a top-up as processed: another shop may share the account. Nothing is credited; the
 * audit log records it once.
 */
async function markUnknown(actor: SystemActor, unknown: Evidence[], storedId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const marked = await tx
      .update(webhookEvents)
      .set({ processedAt: new Date(), retryAt: null, error: 'No top-up matches it.' })
      .where(and(eq(webhookEvents.id, storedId), isNull(webhookEvents.processedAt)))
      .returning({ id: webhookEvents.id });
    if (marked.length === 0) return;
    for (const evidence of unknown) {
      if (evidence.about === 'payment' && evidence.outcome !== 'paid') continue;
      const what = evidence.about === 'payment' ? 'A payment' : `A ${evidence.kind} of a payment`;
      await recordAudit(tx, actor, {
        action: 'topup.unknown',
        details: `${what} (${evidence.paymentReference}) matches no top-up; no money was moved.`,
        entityType: 'webhook_event',
        entityId: storedId,
      });
    }
  });
}

type StoredEvent = { id: string; processedAt: Date | null };

/**
 * Stores and processes a verified event, from a webhook or from the provider's list. An event that was processed before
 * is ignored; one whose processing failed is processed again.
 * @param provider in the mode of the event
 * @throws Error when processing fails; the event is stored by then, and retry-notifications.ts retries it
 */
export async function handleEvent(actor: SystemActor, provider: PaymentProvider, event: ProviderEvent): Promise<void> {
  const stored = await storeEvent(provider.name, event);
  if (stored.processedAt === null) await processEvent(actor, provider, event, stored.id);
}

/** Stores an event once. @returns its row, new or existing */
export async function storeEvent(provider: PaymentProviderName, event: ProviderEvent): Promise<StoredEvent> {
  const { mode, eventId, type, payload } = event;
  const [added] = await db()
    .insert(webhookEvents)
    .values({ id: newId(), provider, mode, eventId, type, payload })
    .onConflictDoNothing({ target: [webhookEvents.provider, webhookEvents.mode, webhookEvents.eventId] })
    .returning();
  if (added) return added;
  const [known] = await db()
    .select()
    .from(webhookEvents)
    .where(and(eq(webhookEvents.provider, provider), eq(webhookEvents.mode, mode), eq(webhookEvents.eventId, eventId)));
  if (!known) throw new Error(`The ${provider} event ${eventId} could not be stored.`);
  return known;
}

const isAboutPayouts = (subject: EventSubject): subject is EventSubject & { object: 'payout' | 'payout_batch' } =>
  subject.object === 'payout' || subject.object === 'payout_batch';

/**
 * Makes the batch of an event due now, so that the job `run-payout-batches` reads it from the provider. The provider
 * states which batch it is. A batch without the provider's reference has no answer yet and is read after it.
 * A batch of another app on the same account changes nothing.
 * @throws ProviderError when the provider does not respond or does not find the object
 */
async function wakePayoutBatch(
  { payouts: rail, mode }: PaymentProvider,
  { object, id }: EventSubject & { object: 'payout' | 'payout_batch' },
): Promise<void> {
  if (!rail) throw new ProviderError('The provider sends no payouts');
  const { reference } = await rail.identifyBatch({ object, id });
  await db()
    .update(payoutBatches)
    .set({ nextActionAt: sql`now()`, attempts: 0 })
    .where(and(eq(payoutBatches.mode, mode), eq(payoutBatches.providerReference, reference)));
}
