import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { webhookEvents } from '@/db/schema/topups';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { openProvider } from '@/lib/payments/providers/open-provider';
import { failureReason } from '@/lib/payments/providers/provider-calls';
import { getBackoffSeconds, isDue, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { processEvent } from './process-event';

type StoredEvent = typeof webhookEvents.$inferSelect;

const maxPerRun = 50;
/** Lease of an event, during which other instances skip it. */
const leaseSeconds = 120;
const backoff = { firstSeconds: 60, maxSeconds: 60 * 60 };
/** As long as the providers retry. Afterwards the event stays on the Payments screen for staff. */
const maxRetryAgeMs = 3 * 24 * 60 * 60 * 1000;

/**
 * Retries stored events whose processing failed or was interrupted, since the cause (a missing event, an unavailable
 * provider, a missing secret) may be resolved. A provider that received a 200 does not send an event again. Several
 * instances may run concurrently: each leases other rows.
 * @returns the number of processed and failed events
 */
export async function retryNotifications(): Promise<{ processed: number; failed: number }> {
  const counts = { processed: 0, failed: 0 };
  for (let claimed = 0; claimed < maxPerRun; claimed += 1) {
    const due = await leaseDue();
    if (!due) break;
    counts[(await retry(due)) ? 'processed' : 'failed'] += 1;
  }
  return counts;
}

/**
 * Leases the event that is due longest. Its next attempt is postponed before processing, so that a crash does not lose
 * it.
 */
async function leaseDue(): Promise<StoredEvent | undefined> {
  const due = isDue({
    id: webhookEvents.id,
    dueAt: webhookEvents.retryAt,
    where: isNull(webhookEvents.processedAt),
    limit: 1,
  });
  const [event] = await db()
    .update(webhookEvents)
    .set({ retryAt: secondsFromNow(leaseSeconds), retries: sql`${webhookEvents.retries} + 1` })
    .where(due)
    .returning();
  return event;
}

/** Returns whether it was processed. */
async function retry(stored: StoredEvent): Promise<boolean> {
  try {
    const provider = await openProvider(stored.provider, stored.mode);
    const actor = systemActor(systemActors.providerEvents, 'job');
    await processEvent(actor, provider, provider.parseStored(stored.payload), stored.id);
    return true;
  } catch (thrown) {
    log().warn({ event: stored.id, retries: stored.retries, err: thrown }, 'A notification failed again.');
    await scheduleRetry(stored, thrown);
    return false;
  }
}

/**
 * Schedules the next attempt, and stores the error unless there is one: events are listed for admins by their error.
 */
async function scheduleRetry({ id, retries, receivedAt }: StoredEvent, thrown: unknown): Promise<void> {
  const isGivenUp = Date.now() - receivedAt.getTime() > maxRetryAgeMs;
  await db()
    .update(webhookEvents)
    .set({
      retryAt: isGivenUp ? null : secondsFromNow(getBackoffSeconds(retries, backoff)),
      error: sql`coalesce(${webhookEvents.error}, ${failureReason(thrown)})`,
    })
    .where(and(eq(webhookEvents.id, id), isNull(webhookEvents.processedAt)));
}
