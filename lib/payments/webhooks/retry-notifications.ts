import { and, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { webhookEvents } from '@/db/schema/topups';
import { systemActor } from '../../access/actor';
import { log } from '../../platform/log/log';
import { failureReason } from '../providers/failure-reason';
import { openProvider } from '../providers/open-provider';
import { processEvent } from './process-event';

type StoredEvent = typeof webhookEvents.$inferSelect;

const mostPerRun = 50;
/** How long another instance leaves a notification alone that this one took. */
const leaseSeconds = 120;
const firstWaitSeconds = 60;
const longestWaitSeconds = 60 * 60;
/** As long as the providers themselves repeat one. Then it stays on the Payments screen, and somebody has to look. */
const givenUpAfterMs = 3 * 24 * 60 * 60 * 1000;

/**
 * Processes the notifications again that were kept and failed, or whose process was killed: what was missing (another
 * notification, the provider's answer, a secret) may be there now. A provider that got its 200 lost before would not
 * send them again. Any number of instances may run it at once: each takes other rows.
 * @returns how many were processed, and how many failed again
 */
export async function retryNotifications(): Promise<{ processed: number; failed: number }> {
  const counts = { processed: 0, failed: 0 };
  for (let taken = 0; taken < mostPerRun; taken += 1) {
    const due = await takeDue();
    if (!due) break;
    counts[(await retry(due)) ? 'processed' : 'failed'] += 1;
  }
  return counts;
}

/** Takes the longest due, by putting its next turn off before anything is done: a crash does not lose it. */
async function takeDue(): Promise<StoredEvent | null> {
  const rows = await db().execute(sql`
    update public.webhook_events set retry_at = now() + make_interval(secs => ${leaseSeconds}), retries = retries + 1
    where id in (
      select id from public.webhook_events where retry_at <= now() and processed_at is null
      order by retry_at limit 1 for no key update skip locked
    ) returning id`);
  const [taken] = z.array(z.object({ id: z.string() })).parse(rows);
  if (!taken) return null;
  const [event] = await db().select().from(webhookEvents).where(eq(webhookEvents.id, taken.id));
  return event ?? null;
}

/** @returns whether it is processed now */
async function retry(stored: StoredEvent): Promise<boolean> {
  try {
    const provider = await openProvider(stored.provider, stored.mode);
    const actor = systemActor('Notification retry', 'job');
    await processEvent(actor, provider, provider.readStored(stored.payload), stored.id);
    return true;
  } catch (thrown) {
    log().warn({ event: stored.id, retries: stored.retries, err: thrown }, 'A notification failed again.');
    await putOff(stored, thrown);
    return false;
  }
}

/** Where nothing says yet why it failed, as when its process was killed, this does: it is shown to an admin by that. */
async function putOff({ id, retries, receivedAt }: StoredEvent, thrown: unknown): Promise<void> {
  const wait = Math.min(firstWaitSeconds * 2 ** Math.min(retries, 10), longestWaitSeconds);
  const isGivenUp = Date.now() - receivedAt.getTime() > givenUpAfterMs;
  await db()
    .update(webhookEvents)
    .set({
      retryAt: isGivenUp ? null : sql`now() + make_interval(secs => ${wait})`,
      error: sql`coalesce(${webhookEvents.error}, ${failureReason(thrown)})`,
    })
    .where(and(eq(webhookEvents.id, id), isNull(webhookEvents.processedAt)));
}
