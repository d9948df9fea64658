import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { type PaymentProviderName, webhookEvents } from '@/db/schema/topups';
import type { SystemActor } from '../../access/actor';
import { newId } from '../../ids';
import { recordAudit } from '../../platform/audit/record';
import { failureReason } from '../providers/failure-reason';
import { openProvider } from '../providers/open-provider';
import type {
  Evidence,
  PaymentEvidence,
  PaymentProvider,
  ProviderEvent,
  ReversalEvidence,
} from '../providers/provider';
import { returnDisputed } from '../reversals/return-disputed';
import { reverseTopup } from '../reversals/reverse';
import { askProvider } from '../top-ups/ask-provider';
import { findPayment } from '../top-ups/find-payment';
import { findTopup, type Topup } from '../top-ups/find-topup';
import { isForeign } from '../top-ups/mismatch';
import { settleTopup } from '../top-ups/settle';

/**
 * Settles or reverses the top-up that a stored, verified webhook event is about, and marks the event as processed.
 * The event only names objects. What is settled or reversed is the provider's answer about them, so an event that was
 * invented by someone who knows the signing secret moves nothing. Idempotent, also for concurrent calls.
 * @param provider in the mode of the event
 * @param storedId the event's row
 * @throws Error when it could not be processed, as when the provider does not answer; the reason is stored with the
 * row, and the event is retried
 */
export async function processEvent(
  actor: SystemActor,
  provider: PaymentProvider,
  event: ProviderEvent,
  storedId: string,
): Promise<void> {
  try {
    await followEvent(actor, provider, event, storedId);
  } catch (thrown) {
    const error = failureReason(thrown);
    // Unless another process was done with it meanwhile.
    await db()
      .update(webhookEvents)
      .set({ error })
      .where(and(eq(webhookEvents.id, storedId), isNull(webhookEvents.processedAt)));
    throw new Error(`The ${provider.name} event ${event.eventId} (${event.type}) failed: ${error}`, { cause: thrown });
  }
}

async function followEvent(
  actor: SystemActor,
  provider: PaymentProvider,
  event: ProviderEvent,
  storedId: string,
): Promise<void> {
  const answers: Evidence[] = [];
  for (const subject of event.subjects()) answers.push(...(await provider.retrieveEvidence(subject)));
  const unknown: Evidence[] = [];
  for (const evidence of answers) {
    const topup = await findTopup(provider.name, evidence);
    if (topup === null) unknown.push(evidence);
    else if (evidence.about === 'payment') await settleTopup(actor, topup.id, await collected(topup, evidence));
    else await followReversal(actor, topup, evidence);
  }
  await (unknown.length > 0 ? markUnknown(actor, unknown, storedId) : markProcessed(storedId));
}

/** Collects money that the buyer approved for the top-up's own checkout. */
async function collected(topup: Topup, evidence: PaymentEvidence): Promise<PaymentEvidence> {
  const { outcome, providerReference } = evidence;
  if (outcome === 'paid' || !evidence.isCollectable || isForeign(topup, evidence)) return evidence;
  return providerReference === null ? evidence : askProvider(topup, providerReference);
}

/** A refund may arrive before the payment that it undoes: then the payment is settled first. */
async function followReversal(actor: SystemActor, topup: Topup, evidence: ReversalEvidence): Promise<void> {
  if (
    topup.providerReference !== null &&
    (await findPayment(db(), topup.provider, evidence.paymentReference)) === null
  ) {
    await settleTopup(actor, topup.id, await askProvider(topup, topup.providerReference));
  }
  await reverseTopup(actor, topup.id, evidence);
  if (evidence.kind === 'dispute') await returnDisputed(actor, topup, evidence);
}

async function markProcessed(storedId: string): Promise<void> {
  await db()
    .update(webhookEvents)
    .set({ processedAt: new Date(), retryAt: null, error: null })
    .where(eq(webhookEvents.id, storedId));
}

/** Properly signed, but no top-up of ours: another shop may share the account. Nothing is credited; it is told once. */
async function markUnknown(actor: SystemActor, unknown: Evidence[], storedId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const marked = await tx
      .update(webhookEvents)
      .set({ processedAt: new Date(), retryAt: null, error: 'No top-up belongs to it.' })
      .where(and(eq(webhookEvents.id, storedId), isNull(webhookEvents.processedAt)))
      .returning({ id: webhookEvents.id });
    if (marked.length === 0) return;
    for (const evidence of unknown) {
      if (evidence.about === 'payment' && evidence.outcome !== 'paid') continue;
      const what = evidence.about === 'payment' ? 'A payment' : `A ${evidence.kind} of a payment`;
      await recordAudit(tx, actor, {
        action: 'topup.unknown',
        details: `${what} (${evidence.paymentReference}) belongs to no top-up; nothing was moved.`,
        entityType: 'webhook_event',
        entityId: storedId,
      });
    }
  });
}

type StoredEvent = { id: string; processedAt: Date | null };

/**
 * Takes an event that is proved to be the provider's, from a webhook or from the provider's own list: stores it once and
 * processes it. One that was processed before is left alone; one that was stored and failed is processed again.
 * @throws Error when processing failed; the event is stored by then, and retry-notifications.ts tries it again
 */
export async function takeEvent(
  actor: SystemActor,
  provider: PaymentProviderName,
  event: ProviderEvent,
): Promise<void> {
  const stored = await storeEvent(provider, event);
  if (stored.processedAt !== null) return;
  await processEvent(actor, await openProvider(provider, event.mode), event, stored.id);
}

/** Stores an event once. @returns its row, also when it was stored before */
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
