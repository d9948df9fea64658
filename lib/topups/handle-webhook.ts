import { and, eq, isNull } from 'drizzle-orm';
import { db } from '../../db/client';
import { type PaymentProviderName, topups, webhookEvents } from '../../db/schema/topups';
import { recordAudit } from '../audit/record';
import { type SystemActor, systemActor } from '../auth/actor';
import { AppError } from '../errors';
import { newId } from '../ids';
import { providerNames } from '../payments/names';
import { openProviderInAllModes } from '../payments/open-provider';
import { type PaymentEvidence, ProviderError, type ProviderEvent } from '../payments/provider';
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
    const error = thrown instanceof ProviderError ? thrown.reason : String(thrown);
    await db().update(webhookEvents).set({ error }).where(eq(webhookEvents.id, stored.id));
    throw new Error(`The ${provider} event ${event.eventId} (${event.type}) failed: ${error}`, { cause: thrown });
  }
}

/** The secret that fits tells the mode it was sent for. */
async function readEvent(provider: PaymentProviderName, { raw, headers }: Notification): Promise<ProviderEvent> {
  const opened = await openProviderInAllModes(provider);
  if (opened.length === 0) throw new AppError('not_configured', `${providerNames[provider]} is not set up here.`);
  for (const one of opened) {
    const event = one.parseWebhook(raw, headers);
    if (event) return event;
  }
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
  const evidence = event.readEvidence();
  if (evidence === null) return markProcessed(stored);
  const topupId = await findTopup(provider, evidence);
  if (topupId === null) return markUnknown(actor, evidence, stored);
  await settleTopup(actor, topupId, evidence);
  await markProcessed(stored);
}

/** By the id we gave the provider; where the evidence carries none, by the reference the provider gave us. */
async function findTopup(
  provider: PaymentProviderName,
  { topupId, providerReference }: PaymentEvidence,
): Promise<string | null> {
  const [found] = await db()
    .select({ id: topups.id })
    .from(topups)
    .where(
      and(
        eq(topups.provider, provider),
        topupId === null ? eq(topups.providerReference, providerReference) : eq(topups.id, topupId),
      ),
    )
    .limit(1);
  return found?.id ?? null;
}

async function markProcessed(stored: StoredEvent): Promise<void> {
  await db().update(webhookEvents).set({ processedAt: new Date(), error: null }).where(eq(webhookEvents.id, stored.id));
}

/** Properly signed, but no top-up of ours: another shop may share the account. Nothing is credited; it is told once. */
async function markUnknown(actor: SystemActor, evidence: PaymentEvidence, stored: StoredEvent): Promise<void> {
  await db().transaction(async (tx) => {
    const marked = await tx
      .update(webhookEvents)
      .set({ processedAt: new Date(), error: 'No top-up belongs to it.' })
      .where(and(eq(webhookEvents.id, stored.id), isNull(webhookEvents.processedAt)))
      .returning({ id: webhookEvents.id });
    if (marked.length === 0 || evidence.outcome !== 'paid') return;
    await recordAudit(tx, actor, {
      action: 'topup.unknown',
      details: `A payment (${evidence.paymentReference}) belongs to no top-up; nothing was credited.`,
      entityType: 'webhook_event',
      entityId: stored.id,
    });
  });
}
