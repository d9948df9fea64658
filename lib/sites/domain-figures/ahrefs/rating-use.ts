import { and, count, eq, getTableColumns, isNotNull, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { domainRatingChecks, domainRatingUse } from '@/db/schema/domain-ratings';
import type { Transaction } from '@/db/transaction';
import { getBackoffSeconds, secondsFromNow } from '@/lib/platform/leases';
import { findKeyService } from '@/lib/settings/api-keys';
import type { Service } from '@/lib/settings/service-answers';
import type { RatingAnswer } from './ask-ahrefs';

/** The pauses after failures for which Ahrefs named no time. */
const backoff = { firstSeconds: 60, maxSeconds: 6 * 3_600 };

const service = 'ahrefs';
const isOfService = eq(domainRatingUse.service, service);
const nameOf = ({ name, credentials }: Service) => `${name}@${credentials}`;
const isOfKey = (used: Service): SQL | undefined => and(isOfService, eq(domainRatingUse.key, nameOf(used)));

/** The day of the budget. */
const today = sql`(now() at time zone 'UTC')::date`;

/** Locks the use of Ahrefs by a key until the commit, begins the count of a new day, and forgets what was about another key. */
export async function lockUse(tx: Transaction, used: Service) {
  const key = nameOf(used);
  const { day, requests, isRefused, pausedUntil, failures } = domainRatingUse;
  const isSameKey = sql`${domainRatingUse.key} = ${key}`;
  const [row] = await tx
    .insert(domainRatingUse)
    .values({ service, day: today, key })
    .onConflictDoUpdate({
      target: domainRatingUse.service,
      set: {
        day: today,
        requests: sql`case when ${day} = ${today} then ${requests} else 0 end`,
        key,
        isRefused: sql`${isRefused} and ${isSameKey}`,
        pausedUntil: sql`case when ${isSameKey} then ${pausedUntil} end`,
        failures: sql`case when ${isSameKey} then ${failures} else 0 end`,
      },
    })
    .returning({ requests, isRefused, isPaused: sql<boolean>`coalesce(${pausedUntil} > now(), false)` });
  if (!row) throw new Error('The use of Ahrefs was not stored.');
  return row;
}

/** Counts a request, in the transaction that locked the use. */
export async function countRequest(tx: Transaction): Promise<void> {
  await tx
    .update(domainRatingUse)
    .set({ requests: sql`${domainRatingUse.requests} + 1` })
    .where(isOfService);
}

/** Records that a run ended. */
export async function recordRatingRun(): Promise<void> {
  await db().update(domainRatingUse).set({ lastRunAt: sql`now()` }).where(isOfService);
}

/** Whether Ahrefs answered about the domain. */
export const isAnswered = (answer: RatingAnswer): answer is Extract<RatingAnswer, { outcome: 'rated' | 'unknown' }> =>
  answer.outcome === 'rated' || answer.outcome === 'unknown';

/** Stops or pauses the requests of a key after a failure. */
export async function settleUse(tx: Transaction, used: Service, answer: RatingAnswer): Promise<void> {
  const ofKey = isOfKey(used);
  if (isAnswered(answer)) {
    await tx.update(domainRatingUse).set({ failures: 0, isRefused: false }).where(ofKey);
    return;
  }
  const [paused] = await tx
    .update(domainRatingUse)
    .set({
      failures: sql`${domainRatingUse.failures} + 1`,
      ...(answer.outcome === 'refused' && { isRefused: true }),
      lastError: answer.message,
      lastErrorAt: sql`now()`,
    })
    .where(ofKey)
    .returning({ failures: domainRatingUse.failures });
  if (!paused || answer.outcome === 'refused') return;
  const seconds = answer.retryAfterSeconds ?? getBackoffSeconds(paused.failures - 1, backoff);
  await tx
    .update(domainRatingUse)
    .set({ pausedUntil: sql`greatest(${domainRatingUse.pausedUntil}, ${secondsFromNow(seconds)})` })
    .where(ofKey);
}

/** Returns whether Ahrefs refused the key in use, so that no request is sent until it is replaced. */
export async function isAhrefsKeyRefused(): Promise<boolean> {
  const used = await findKeyService('Ahrefs');
  if (!used) return false;
  return (await db().$count(domainRatingUse, and(isOfKey(used), eq(domainRatingUse.isRefused, true)))) > 0;
}

/** Reads what the screen of the keys shows about the ratings. */
export async function getRatingStatus() {
  const { day, requests } = domainRatingUse;
  const { checkedAt, isUnknown } = domainRatingChecks;
  const [used, [row], [domains]] = await Promise.all([
    findKeyService('Ahrefs'),
    db()
      .select({
        ...getTableColumns(domainRatingUse),
        requestsToday: sql<number>`case when ${day} = ${today} then ${requests} else 0 end`,
      })
      .from(domainRatingUse)
      .where(isOfService),
    db()
      .select({
        total: count(),
        rated: sql`count(*) filter (where ${isNotNull(checkedAt)} and not ${isUnknown})`.mapWith(Number),
        unknown: sql`count(*) filter (where ${isUnknown})`.mapWith(Number),
      })
      .from(domainRatingChecks),
  ]);
  // A pause and a refusal are over once the key is changed.
  const current = used && row?.key === nameOf(used) ? row : null;
  const isPaused = current?.pausedUntil != null && current.pausedUntil > new Date();
  return {
    hasKey: used !== null,
    isRefused: current?.isRefused ?? false,
    pausedUntil: isPaused ? current.pausedUntil : null,
    requestsToday: row?.requestsToday ?? 0,
    lastRunAt: row?.lastRunAt ?? null,
    lastError: row?.lastError && row.lastErrorAt ? { message: row.lastError, at: row.lastErrorAt } : null,
    domains: domains ?? { total: 0, rated: 0, unknown: 0 },
  };
}
export type RatingStatus = Awaited<ReturnType<typeof getRatingStatus>>;
