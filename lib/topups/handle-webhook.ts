import { and, eq, isNull } from 'drizzle-orm';
import { db } from '../../db/client';
import { type PaymentProviderName, webhookEvents } from '../../db/schema/topups';
import { recordAudit } from '../audit/record';
import { type SystemActor, systemActor } from '../auth/actor';
import { AppError } from '../errors';
import { newId } from '../ids';
import { providerNames } from '../payments/names';
import { openProviderInAllModes } from '../payments/open-provider';
import type { Evidence, PaymentEvidence, ProviderEvent, ReversalEvidence } from '../payments/provider';
import { askProvider } from './ask-provider';
import { failureReason } from './failure-reason';
import { findPayment } from './find-payment';
import { findTopup, type Topup } from './find-topup';
import { isForeign } from './mismatch';
import { returnDisputed } from './return-disputed';
import { reverseTopup } from './reverse';
import { settleTopup } from './settle';

type Notification = { raw: Buffer; headers: Pick<Headers, 'get'>; ip: string; requestId: string };
type StoredEvent = { id: string; processedAt: Date | null };

/**
 * Takes a provider's notification: checks its signature, keeps it once, and settles the top-up it is about. One that
 * was processed before is only acknowledged; one that was kept but failed is processed again.
 * @throws AppError not_configured (503), or invalid_input (400) for a signature that is wrong or too old
 * @throws Error (500) when processing failed, so that the provider sends it again
 */
export async function handleWebhook(provider: PaymentProviderName, notification: Notification): Promise<void> {
  const event = await readEvent(provider, notification);
  const stored = await storeEvent(provider, event);
  if (stored.processedAt !== null) return;
  const { ip, requestId } = notification;
  const actor = systemActor(`${providerNames[provider]} webhook`, 'webhook', { ip, requestId });
  try {
    await processEvent(actor, provider, event, stored);
  } catch (thrown) {
    const error = failureReason(thrown);
    await db().update(webhookEvents).set({ error }).where(eq(webhookEvents.id, stored.id));
    throw new Error(`The ${provider} event ${event.eventId} (${event.type}) failed: ${error}`, { cause: thrown });
  }
}

/** The secret that fits tells the mode it was sent for. */
async function readEvent(provider: PaymentProviderName, { raw, headers }: Notification): Promise<ProviderEvent> {
  const opened = await openProviderInAllModes(provider);
  if (opened.length === 0) throw new AppError('not_configured', `${providerNames[provider]} is not set up here.`);
  const failures: unknown[] = [];
  for (const one of opened) {
    try {
      const event = await one.parseWebhook(raw, headers);
      if (event) return event;
    } catch (thrown) {
      // One mode's broken keys or silent provider must not hide that another mode's secret fits.
      failures.push(thrown);
    }
  }
  // Not known to be wrong: the provider shall send it again.
  if (failures.length > 0) throw failures[0];
  throw new AppError('invalid_input', 'The signature of this notification is not valid.');
}

async function storeEvent(provider: PaymentProviderName, event: ProviderEvent): Promise<StoredEvent> {
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

async function processEvent(
  actor: SystemActor,
  provider: PaymentProviderName,
  event: ProviderEvent,
  stored: StoredEvent,
): Promise<void> {
  const unknown: Evidence[] = [];
  for (const evidence of await event.read()) {
    const topup = await findTopup(provider, evidence);
    if (topup === null) unknown.push(evidence);
    else if (evidence.about === 'payment') await settleTopup(actor, topup.id, await collected(topup, evidence));
    else await followReversal(actor, topup, evidence);
  }
  await (unknown.length > 0 ? markUnknown(actor, unknown, stored) : markProcessed(stored));
}

/** Collects money that the buyer approved; anything else is as the event says. */
async function collected(topup: Topup, evidence: PaymentEvidence): Promise<PaymentEvidence> {
  if (evidence.outcome === 'paid' || !evidence.isCollectable || isForeign(topup, evidence)) return evidence;
  return askProvider(topup, evidence.providerReference);
}

/** A refund may be told before the payment that it undoes: then the provider is asked for that first. */
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

async function markProcessed(stored: StoredEvent): Promise<void> {
  await db().update(webhookEvents).set({ processedAt: new Date(), error: null }).where(eq(webhookEvents.id, stored.id));
}

/** Properly signed, but no top-up of ours: another shop may share the account. Nothing is credited; it is told once. */
async function markUnknown(actor: SystemActor, unknown: Evidence[], stored: StoredEvent): Promise<void> {
  await db().transaction(async (tx) => {
    const marked = await tx
      .update(webhookEvents)
      .set({ processedAt: new Date(), error: 'No top-up belongs to it.' })
      .where(and(eq(webhookEvents.id, stored.id), isNull(webhookEvents.processedAt)))
      .returning({ id: webhookEvents.id });
    if (marked.length === 0) return;
    for (const evidence of unknown) {
      if (evidence.about === 'payment' && evidence.outcome !== 'paid') continue;
      const what = evidence.about === 'payment' ? 'A payment' : `A ${evidence.kind} of a payment`;
      await recordAudit(tx, actor, {
        action: 'topup.unknown',
        details: `${what} (${evidence.paymentReference}) belongs to no top-up; nothing was moved.`,
        entityType: 'webhook_event',
        entityId: stored.id,
      });
    }
  });
}
