import { and, eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { type PaymentProviderName, webhookEvents } from '../../db/schema/topups';
import type { SystemActor } from '../auth/actor';
import { newId } from '../ids';
import { openProvider } from '../payments/open-provider';
import type { ProviderEvent } from '../payments/provider';
import { processEvent } from './process-event';

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
