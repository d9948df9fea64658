import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import {
  eventPositions,
  type PaymentProviderName,
  type ProviderMode,
  paymentProviders,
  topups,
  webhookEvents,
} from '@/db/schema/topups';
import { type SystemActor, systemActor } from '../../access/actor';
import { recordAudit } from '../../platform/audit/record';
import { log } from '../../platform/log/log';
import { enteredModesOf } from '../config/config';
import { failureReason } from '../providers/failure-reason';
import { providerNames } from '../providers/names';
import { openProvider } from '../providers/open-provider';
import { isOutage, type ListedEvent } from '../providers/provider';
import { storeEvent, takeEvent } from './process-event';

const dayMs = 24 * 60 * 60 * 1000;
/** A long outage is read a day at a time, so that the position moves although a run ends before the list does. */
const windowMs = dayMs;
/** New events of one provider in one mode that a run takes. The next run goes on. */
const mostPerRun = 500;
const mostWindows = 31;
/** What the provider is about to forget may be gone before the list is read to its end. */
const marginMs = dayMs / 2;

type Place = { provider: PaymentProviderName; mode: ProviderMode };

/**
 * Reads the providers' own lists of events, so that none is lost after an outage that lasted longer than the providers
 * repeat their webhooks. A listed event is stored and processed as a webhook is, under the same unique id. The position
 * of a provider and mode moves only after everything before it is stored; each reading begins some time before it, as
 * events may be added late. Several instances at once repeat work, but change nothing twice.
 * @param now for tests
 * @returns how many new events were taken, and for how many providers and modes the list could not be read
 */
export async function catchUpEvents(now = new Date()): Promise<{ taken: number; failed: number }> {
  const counts = { taken: 0, failed: 0 };
  for (const provider of paymentProviders) {
    for (const mode of await enteredModesOf(provider)) {
      const place = { provider, mode };
      try {
        counts.taken += await catchUp(place, now);
      } catch (thrown) {
        counts.failed += 1;
        log().warn({ ...place, err: thrown }, 'Past events of a payment provider could not be read.');
        await saveFailure(place, failureReason(thrown), now);
      }
    }
  }
  return counts;
}

/** @returns how many new events were taken */
async function catchUp(place: Place, now: Date): Promise<number> {
  const begin = await findStart(place);
  if (begin === null) return 0;
  const { eventLog } = await openProvider(place.provider, place.mode);
  const oldest = new Date(now.getTime() - eventLog.keptDays * dayMs + marginMs);
  if (begin.isStored && begin.at < oldest) await recordGap(place, begin.at, oldest);
  const until = eventLog.completeUntil(now);
  let position = later(begin.at, oldest);
  let from = later(new Date(position.getTime() - eventLog.overlapMs), oldest);
  let taken = 0;
  for (let windows = 0; position < until && windows < mostWindows; windows += 1) {
    const end = new Date(Math.min(position.getTime() + windowMs, until.getTime()));
    for await (const page of eventLog.list(from, end)) {
      taken += await takePage(place, page);
      if (taken >= mostPerRun) return taken;
    }
    await savePosition(place, end, end < until ? null : now);
    position = end;
    from = end;
  }
  return taken;
}

/** Without a position: the first top-up, before which nothing can concern this installation; null before that. */
async function findStart({ provider, mode }: Place): Promise<{ at: Date; isStored: boolean } | null> {
  const [position] = await db().select().from(eventPositions).where(isAt({ provider, mode }));
  if (position?.coveredUntil) return { at: position.coveredUntil, isStored: true };
  const [first] = await db()
    .select({ at: topups.createdAt })
    .from(topups)
    .where(and(eq(topups.provider, provider), eq(topups.mode, mode)))
    .orderBy(topups.createdAt)
    .limit(1);
  return first ? { at: first.at, isStored: false } : null;
}

/** Stores what is new of a page; processes it as well, as long as the provider answers. @returns how many were new */
async function takePage({ provider, mode }: Place, page: readonly ListedEvent[]): Promise<number> {
  const ours = await withoutForeign(page);
  if (ours.length === 0) return 0;
  const known = await db()
    .select({ id: webhookEvents.eventId })
    .from(webhookEvents)
    .where(
      and(
        eq(webhookEvents.provider, provider),
        eq(webhookEvents.mode, mode),
        inArray(
          webhookEvents.eventId,
          ours.map(({ eventId }) => eventId),
        ),
      ),
    );
  const knownIds = new Set(known.map(({ id }) => id));
  const fresh = ours.filter(({ eventId }) => !knownIds.has(eventId));
  const actor = systemActor('Event catch-up', 'job');
  let isDown = false;
  for (const event of fresh) {
    // Stored is enough: what is not processed here, the job retry-notifications processes.
    if (isDown) await storeEvent(provider, event);
    else isDown = !(await tryToTake(actor, provider, event));
  }
  return fresh.length;
}

/** A provider's account may be shared: an event that names a top-up of another installation is not stored. */
async function withoutForeign(page: readonly ListedEvent[]): Promise<ListedEvent[]> {
  const named = [...new Set(page.flatMap(({ topupId }) => topupId ?? []))];
  if (named.length === 0) return [...page];
  const found = await db().select({ id: topups.id }).from(topups).where(inArray(topups.id, named));
  const ids = new Set(found.map(({ id }) => id));
  return page.filter(({ topupId }) => topupId === null || ids.has(topupId));
}

/** @returns false when the provider does not answer */
async function tryToTake(actor: SystemActor, provider: PaymentProviderName, event: ListedEvent): Promise<boolean> {
  try {
    await takeEvent(actor, provider, event);
    return true;
  } catch (thrown) {
    log().warn({ provider, event: event.eventId, err: thrown }, 'A past event could not be processed.');
    return !(thrown instanceof Error && isOutage(thrown.cause));
  }
}

const isAt = ({ provider, mode }: Place) => and(eq(eventPositions.provider, provider), eq(eventPositions.mode, mode));

const later = (one: Date, other: Date): Date => (one > other ? one : other);

/** @param checkedAt when the list was read to its end; null keeps what was there */
async function savePosition(place: Place, coveredUntil: Date, checkedAt: Date | null): Promise<void> {
  const values = { coveredUntil, error: null, ...(checkedAt && { checkedAt }) };
  await db()
    .insert(eventPositions)
    .values({ ...place, ...values })
    .onConflictDoUpdate({
      target: [eventPositions.provider, eventPositions.mode],
      // Another instance may be ahead.
      set: { ...values, coveredUntil: sql`greatest(${eventPositions.coveredUntil}, excluded.covered_until)` },
    });
}

async function saveFailure(place: Place, error: string, failedAt: Date): Promise<void> {
  await db()
    .insert(eventPositions)
    .values({ ...place, error, failedAt })
    .onConflictDoUpdate({ target: [eventPositions.provider, eventPositions.mode], set: { error, failedAt } });
}

/** The outage lasted longer than the provider keeps events: a person has to compare. */
async function recordGap({ provider, mode }: Place, from: Date, until: Date): Promise<void> {
  const name = providerNames[provider];
  await db().transaction(async (tx) => {
    const moved = await tx
      .update(eventPositions)
      .set({ coveredUntil: until })
      .where(and(isAt({ provider, mode }), lt(eventPositions.coveredUntil, until)))
      .returning({ provider: eventPositions.provider });
    if (moved.length === 0) return;
    await recordAudit(tx, systemActor('Event catch-up', 'job'), {
      action: 'payments.events_missed',
      details: `${name} (${mode} mode) no longer lists its events from ${from.toISOString()} to ${until.toISOString()}. Compare refunds and disputes of that time at ${name}.`,
      entityType: 'payment_config',
      entityId: `${provider}:${mode}`,
    });
  });
}
