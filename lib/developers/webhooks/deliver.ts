import { and, arrayContains, asc, eq, exists, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { advisoryLock } from '@/db/advisory-locks';
import { db, type Executor } from '@/db/client';
import { events } from '@/db/schema/events';
import { users } from '@/db/schema/users';
import { webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { newId } from '@/lib/ids';
import { isDue, processLeased, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { isFlagOn } from '@/lib/settings/feature-flags';
import { type AttemptOutcome, attemptDelivery, type TakenDelivery } from './attempt';
import { mayReceive, personOf } from './rights';

/** For how long an event is sent again after failures. */
export const retryHours = 24;

const batchSize = 200;
const insertSize = 1_000;

/**
 * Gives new events their positions and creates their deliveries, in batches of a transaction. One instance at a time, so
 * that positions become visible in their order.
 * @returns the number of events
 */
export async function distributeEvents(): Promise<number> {
  let distributed = 0;
  for (;;) {
    const count = await db().transaction(distributeBatch);
    distributed += count;
    if (count < batchSize) return distributed;
  }
}

async function distributeBatch(tx: Executor): Promise<number> {
  const [lock] = await tx.execute(sql`select pg_try_advisory_xact_lock(${advisoryLock('events')}) as taken`);
  if (lock?.taken !== true) return 0;
  const fresh = await tx
    .select({ id: events.id })
    .from(events)
    .where(isNull(events.position))
    .orderBy(asc(events.createdAt), asc(events.id))
    .limit(batchSize);
  if (fresh.length === 0) return 0;
  const ids = fresh.map(({ id }) => id);
  await tx.execute(sql`
    update ${events} set position = numbered.position
    from (
      select id, (select coalesce(max(position), 0) from ${events}) + row_number() over (order by created_at, id) as position
      from ${events} where ${inArray(events.id, ids)}
    ) as numbered
    where events.id = numbered.id`);
  const pairs = await tx
    .select({ eventId: events.id, endpointId: webhookEndpoints.id })
    .from(events)
    .innerJoin(
      webhookEndpoints,
      and(webhookEndpoints.isEnabled, arrayContains(webhookEndpoints.events, sql`array[${events.type}]`)),
    )
    .innerJoin(users, eq(users.id, personOf))
    .where(and(inArray(events.id, ids), mayReceive))
    .orderBy(asc(events.position));
  for (let from = 0; from < pairs.length; from += insertSize) {
    await tx
      .insert(webhookDeliveries)
      .values(
        pairs
          .slice(from, from + insertSize)
          .map((pair) => ({ id: newId(), ...pair, giveUpAt: secondsFromNow(retryHours * 3_600) })),
      )
      .onConflictDoNothing();
  }
  return fresh.length;
}

/** Endpoints served at the same time on an instance, and those of them for which slow endpoints may be taken. */
const workers = 16;
const slowWorkers = 4;
/** The run ends before its next turn would be late. */
const runMs = 50_000;
/** How long a worker serves an endpoint before others have their turn, and has it at most: longer than a turn and an attempt. */
const turnMs = 20_000;
const leaseSeconds = 60;

type Counts = { distributed: number; delivered: number; failed: number; canceled: number; gaveUp: number };

/**
 * Distributes new events to the endpoints that subscribed to them, and sends the deliveries that are due. Several instances
 * may run it: a worker leases an endpoint, so that an endpoint receives one message at a time, and a slow or dead one
 * occupies few workers. While webhooks are turned off, nothing is sent and no connection is opened.
 * @returns the number of events, attempts by result, and deliveries without further attempts
 */
export async function deliverWebhooks(): Promise<Counts> {
  const counts: Counts = { distributed: 0, delivered: 0, failed: 0, canceled: 0, gaveUp: 0 };
  if (!(await isFlagOn('webhooks'))) return counts;
  const endsAt = Date.now() + runMs;
  counts.distributed = await distributeEvents();
  counts.gaveUp = await giveUp();
  const lease = (worker: number) => leaseNext(worker < slowWorkers ? undefined : eq(webhookEndpoints.isSlow, false));
  await processLeased({ workers, endsAt }, lease, (leased) =>
    runTurn(leased, (outcome) => {
      counts[outcome === 'unanswered' ? 'failed' : outcome] += 1;
    }),
  );
  return counts;
}

/** Ends deliveries whose time is over, such as those of an endpoint that did not answer. */
async function giveUp(): Promise<number> {
  const { count } = await db()
    .update(webhookDeliveries)
    .set({
      state: 'failed',
      nextAttemptAt: null,
      finishedAt: sql`now()`,
      lastError: sql`case when ${webhookDeliveries.lastError} = '' then 'The endpoint could not be reached in time.' else ${webhookDeliveries.lastError} end`,
    })
    .where(and(eq(webhookDeliveries.state, 'pending'), lte(webhookDeliveries.giveUpAt, sql`now()`)));
  return count;
}

/** An endpoint that a worker has until `leasedUntil`. */
type LeasedEndpoint = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'leasedUntil'>;

/** JavaScript reads times in milliseconds: the end of the lease is compared with what was read. */
const leaseEnd = sql`date_trunc('milliseconds', ${secondsFromNow(leaseSeconds)})`;
const leasedColumns = { id: webhookEndpoints.id, leasedUntil: webhookEndpoints.leasedUntil };

/** Leases the endpoint that has waited longest for its turn. */
async function leaseNext(lane: SQL | undefined): Promise<LeasedEndpoint | undefined> {
  const { id, leasedUntil, isEnabled, pausedUntil } = webhookEndpoints;
  const hasDue = exists(
    db()
      .select({ one: sql`1` })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.endpointId, id), lte(webhookDeliveries.nextAttemptAt, sql`now()`))),
  );
  const where = and(isEnabled, lte(pausedUntil, sql`now()`), lane, hasDue);
  const [leased] = await db()
    .update(webhookEndpoints)
    // A lease is no change that readers see.
    .set({ leasedUntil: leaseEnd, updatedAt: sql`${webhookEndpoints.updatedAt}` })
    .where(isDue({ id, dueAt: leasedUntil, where, limit: 1 }))
    .returning(leasedColumns);
  return leased;
}

/** Leases an endpoint if no worker has it, for a user who waits for the result of an attempt. */
export async function leaseEndpoint(id: string): Promise<LeasedEndpoint | undefined> {
  const [leased] = await db()
    .update(webhookEndpoints)
    .set({ leasedUntil: leaseEnd, updatedAt: sql`${webhookEndpoints.updatedAt}` })
    .where(and(eq(webhookEndpoints.id, id), lte(webhookEndpoints.leasedUntil, sql`now()`)))
    .returning(leasedColumns);
  return leased;
}

/**
 * Sends what is due at a leased endpoint, one message after another, until it does not answer, and releases it.
 * @param only sends this delivery only, as a user requested
 */
export async function runTurn(
  leased: LeasedEndpoint,
  report: (outcome: AttemptOutcome) => void,
  only?: string,
): Promise<void> {
  const endsAt = Date.now() + turnMs;
  try {
    do {
      const claimed = await takeDelivery(leased.id, only);
      if (!claimed) break;
      const outcome = await attemptDelivery(claimed, only !== undefined);
      report(outcome);
      if (outcome === 'unanswered' || only !== undefined) break;
    } while (Date.now() < endsAt);
  } catch (thrown) {
    // The delivery is due again at the end of its lease.
    log().warn({ endpoint: leased.id, err: thrown }, 'A webhook was not sent.');
  }
  await db()
    .update(webhookEndpoints)
    .set({ leasedUntil: sql`now()`, updatedAt: sql`${webhookEndpoints.updatedAt}` })
    .where(and(eq(webhookEndpoints.id, leased.id), eq(webhookEndpoints.leasedUntil, leased.leasedUntil)));
}

async function takeDelivery(endpointId: string, only: string | undefined): Promise<TakenDelivery | undefined> {
  const { id, nextAttemptAt, attempts, eventId } = webhookDeliveries;
  const where = and(
    eq(webhookDeliveries.endpointId, endpointId),
    only === undefined ? undefined : eq(webhookDeliveries.id, only),
  );
  const [taken] = await db()
    .update(webhookDeliveries)
    .set({ attempts: sql`${attempts} + 1`, nextAttemptAt: secondsFromNow(leaseSeconds) })
    .where(isDue({ id, dueAt: nextAttemptAt, where, limit: 1 }))
    .returning({ id, endpointId: webhookDeliveries.endpointId, eventId, attempts });
  return taken;
}
