import { and, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { type PaymentProviderName, webhookEvents } from '../../db/schema/topups';
import { systemActor } from '../auth/actor';
import { AppError } from '../errors';
import { newId } from '../ids';
import { providerNames } from '../payments/names';
import { openProvider, openProviderInAllModes } from '../payments/open-provider';
import type { ProviderEvent } from '../payments/provider';
import { processEvent } from './process-event';

type Notification = { raw: Buffer; headers: Pick<Headers, 'get'>; ip: string; requestId: string };
type StoredEvent = { id: string; processedAt: Date | null };

/**
 * Takes a webhook event: verifies its signature, stores it once, and processes it. An event that was processed before
 * is only acknowledged; one that was stored and failed is processed again.
 * @throws AppError not_configured (503), or invalid_input (400) for a signature that is wrong or too old
 * @throws Error (500) when processing failed, so that the provider sends it again; retry-notifications.ts tries as well
 */
export async function handleWebhook(provider: PaymentProviderName, notification: Notification): Promise<void> {
  const event = await readEvent(provider, notification);
  const stored = await storeEvent(provider, event);
  if (stored.processedAt !== null) return;
  const { ip, requestId } = notification;
  const actor = systemActor(`${providerNames[provider]} webhook`, 'webhook', { ip, requestId });
  await processEvent(actor, await openProvider(provider, event.mode), event, stored.id);
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
