import { and, arrayContains, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { advisoryLock } from '@/db/advisory-locks';
import { db, type Executor } from '@/db/client';
import { events } from '@/db/schema/events';
import { users } from '@/db/schema/users';
import { webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { newId } from '@/lib/ids';
import { secondsFromNow } from '@/lib/platform/leases';
import { mayReceive } from './rights';

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
    .innerJoin(users, eq(users.id, webhookEndpoints.ownerId))
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
