import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { payoutBatches } from '@/db/schema/payouts';
import {
  eventPositions,
  type PaymentProviderName,
  type ProviderMode,
  paymentProviders,
  topups,
  webhookEvents,
} from '@/db/schema/topups';
import { type SystemActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { getPaymentService, getProviderSettings } from '@/lib/payments/config/admin-config';
import { listConfiguredModes } from '@/lib/payments/config/config';
import { providerNames } from '@/lib/payments/providers/names';
import { openProviderOf } from '@/lib/payments/providers/open-provider';
import { isOutage, type ListedEvent, type PaymentProvider } from '@/lib/payments/providers/provider';
import { failureReason } from '@/lib/payments/providers/provider-calls';
import { recordAudit } from '@/lib/platform/audit/record';
import { log } from '@/lib/platform/log/log';
import { recordAnswer } from '@/lib/settings/service-answers';
import { handleEvent, storeEvent } from './process-event';

const dayMs = 24 * 60 * 60 * 1000;
/** A long outage is read one day at a time, so that the position advances even if a run ends early. */
const windowMs = dayMs;
/** Limit of new events per provider, mode and run. The next run continues. */
const maxPerRun = 500;
const maxWindows = 31;
/** Margin for events that the provider may delete while the list is read. */
const marginMs = dayMs / 2;

type EventList = { provider: PaymentProviderName; mode: ProviderMode };

/**
 * Reads the providers' lists of events, so that no event is lost after an outage longer than the providers' webhook
 * retries. A listed event is stored and processed like a webhook event, with the same unique id. The position of a
 * provider and mode advances only after all earlier events are stored. Each read starts some time before the position,
 * because events may be added late. Concurrent instances repeat work but change nothing twice.
 * @param now for tests
 * @returns the number of new events, and of providers and modes whose list could not be read
 */
export async function catchUpEvents(now = new Date()): Promise<{ added: number; failed: number }> {
  const counts = { added: 0, failed: 0 };
  for (const provider of paymentProviders) {
    for (const mode of await listConfiguredModes(provider)) {
      const place = { provider, mode };
      const service = getPaymentService(await getProviderSettings(provider), mode);
      try {
        const added = await catchUp(place, now);
        counts.added += added ?? 0;
        if (added !== null) await recordAnswer(service, { ok: true, message: 'The list of events was read.' });
      } catch (thrown) {
        counts.failed += 1;
        log().warn({ ...place, err: thrown }, 'Past events of a payment provider could not be read.');
        const message = failureReason(thrown);
        await saveFailure(place, message, now);
        await recordAnswer(service, { ok: false, message });
      }
    }
  }
  return counts;
}

/** Returns the number of new events; null without any money yet, when the provider is not asked. */
async function catchUp(place: EventList, now: Date): Promise<number | null> {
  const begin = await findStart(place);
  if (begin === null) return null;
  const provider = await openProviderOf(place);
  const { eventLog } = provider;
  const oldest = new Date(now.getTime() - eventLog.retentionDays * dayMs + marginMs);
  if (begin.isStored && begin.at < oldest) await recordGap(place, begin.at, oldest);
  const until = eventLog.completeUntil(now);
  let position = laterOf(begin.at, oldest);
  let from = laterOf(new Date(position.getTime() - eventLog.overlapMs), oldest);
  let found = 0;
  for (let windows = 0; position < until && windows < maxWindows; windows += 1) {
    const end = new Date(Math.min(position.getTime() + windowMs, until.getTime()));
    for await (const page of eventLog.list(from, end)) {
      found += await processPage(provider, page);
      if (found >= maxPerRun) return found;
    }
    await savePosition(place, end, end < until ? null : now);
    position = end;
    from = end;
  }
  return found;
}

/**
 * Returns the stored position, or the time of the first top-up or batch of payouts, before which no event concerns this
 * installation; null without any.
 */
async function findStart({ provider, mode }: EventList): Promise<{ at: Date; isStored: boolean } | null> {
  const [position] = await db().select().from(eventPositions).where(isPositionOf({ provider, mode }));
  if (position?.coveredUntil) return { at: position.coveredUntil, isStored: true };
  const [first] = await db()
    .select({ at: topups.createdAt })
    .from(topups)
    .where(and(eq(topups.provider, provider), eq(topups.mode, mode)))
    .orderBy(topups.createdAt)
    .limit(1);
  if (first) return { at: first.at, isStored: false };
  const [batch] = await db()
    .select({ at: payoutBatches.createdAt })
    .from(payoutBatches)
    .where(and(sql`${payoutBatches.kind} = ${provider}`, eq(payoutBatches.mode, mode)))
    .orderBy(payoutBatches.createdAt)
    .limit(1);
  return batch ? { at: batch.at, isStored: false } : null;
}

/**
 * Stores the new events of a page, and processes them while the provider responds.
 * @returns the number of new events
 */
async function processPage(provider: PaymentProvider, page: readonly ListedEvent[]): Promise<number> {
  const own = await excludeForeign(page);
  if (own.length === 0) return 0;
  const known = await db()
    .select({ id: webhookEvents.eventId })
    .from(webhookEvents)
    .where(
      and(
        eq(webhookEvents.provider, provider.name),
        eq(webhookEvents.mode, provider.mode),
        inArray(
          webhookEvents.eventId,
          own.map(({ eventId }) => eventId),
        ),
      ),
    );
  const knownIds = new Set(known.map(({ id }) => id));
  const fresh = own.filter(({ eventId }) => !knownIds.has(eventId));
  const actor = systemActor(systemActors.eventCatchUp, 'job');
  let isDown = false;
  for (const event of fresh) {
    // Storing is sufficient: the job retry-notifications processes the rest.
    if (isDown) await storeEvent(provider.name, event);
    else isDown = !(await tryHandle(actor, provider, event));
  }
  return fresh.length;
}

/** Excludes events that name a top-up of another installation on the same provider account. */
async function excludeForeign(page: readonly ListedEvent[]): Promise<ListedEvent[]> {
  const named = [...new Set(page.flatMap(({ topupId }) => topupId ?? []))];
  if (named.length === 0) return [...page];
  const found = await db().select({ id: topups.id }).from(topups).where(inArray(topups.id, named));
  const ids = new Set(found.map(({ id }) => id));
  return page.filter(({ topupId }) => topupId === null || ids.has(topupId));
}

/** Returns false when the provider does not respond. */
async function tryHandle(actor: SystemActor, provider: PaymentProvider, event: ListedEvent): Promise<boolean> {
  try {
    await handleEvent(actor, provider, event);
    return true;
  } catch (thrown) {
    log().warn({ provider: provider.name, event: event.eventId, err: thrown }, 'A past event could not be processed.');
    return !(thrown instanceof Error && isOutage(thrown.cause));
  }
}

const isPositionOf = ({ provider, mode }: EventList) =>
  and(eq(eventPositions.provider, provider), eq(eventPositions.mode, mode));

const laterOf = (one: Date, other: Date): Date => (one > other ? one : other);

/** @param checkedAt when the list was read to its end; null keeps the stored time */
async function savePosition(place: EventList, coveredUntil: Date, checkedAt: Date | null): Promise<void> {
  const values = { coveredUntil, error: null, ...(checkedAt && { checkedAt }) };
  await db()
    .insert(eventPositions)
    .values({ ...place, ...values })
    .onConflictDoUpdate({
      target: [eventPositions.provider, eventPositions.mode],
      // Another instance may have advanced further.
      set: { ...values, coveredUntil: sql`greatest(${eventPositions.coveredUntil}, excluded.covered_until)` },
    });
}

async function saveFailure(place: EventList, error: string, failedAt: Date): Promise<void> {
  await db()
    .insert(eventPositions)
    .values({ ...place, error, failedAt })
    .onConflictDoUpdate({ target: [eventPositions.provider, eventPositions.mode], set: { error, failedAt } });
}

/** Records events that the provider no longer lists, so that staff compare them. */
async function recordGap({ provider, mode }: EventList, from: Date, until: Date): Promise<void> {
  const name = providerNames[provider];
  await db().transaction(async (tx) => {
    const moved = await tx
      .update(eventPositions)
      .set({ coveredUntil: until })
      .where(and(isPositionOf({ provider, mode }), lt(eventPositions.coveredUntil, until)))
      .returning({ provider: eventPositions.provider });
    if (moved.length === 0) return;
    await recordAudit(tx, systemActor(systemActors.eventCatchUp, 'job'), {
      action: 'payments.events_missed',
      details: `${name} (${mode} mode) no longer lists its events from ${from.toISOString()} to ${until.toISOString()}. Check refunds and disputes of that time at ${name}.`,
      entityType: 'payment_config',
      entityId: `${provider}:${mode}`,
    });
  });
}
