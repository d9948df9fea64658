import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { events } from '@/db/schema/events';
import { webhookDeliveries } from '@/db/schema/webhook-endpoints';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { test } from '@/lib/events/subjects';
import { testEventType } from '@/lib/events/types';
import { newId } from '@/lib/ids';
import { secondsFromNow } from '@/lib/platform/leases';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { requireFlag } from '@/lib/settings/feature-flags';
import { type DeliveryView, deliveryView } from './contract';
import { leaseEndpoint, retryHours, runTurn } from './deliver';
import { getDelivery, isVisibleEvent, lockEndpoint } from './queries';
import type { Scope } from './rights';

/** A test has one attempt: the end comes before the first retry. */
const testSeconds = 20;

const newEnd = { retries: 0, finishedAt: null, giveUpAt: secondsFromNow(retryHours * 3_600) };

/**
 * Sends a test event to an endpoint, also while it is turned off, and waits for the result.
 * @throws AppError not_found, not_configured while webhooks are turned off, rate_limited
 */
export async function sendTest(actor: Actor, scope: Scope, endpointId: string): Promise<DeliveryView> {
  await allowSending(actor);
  const id = newId();
  await db().transaction(async (tx) => {
    await lockEndpoint(tx, actor, scope, endpointId);
    const isInstallation = scope === 'installation';
    const eventId = newId();
    await tx.insert(events).values({
      id: eventId,
      type: testEventType,
      audience: isInstallation ? 'installation' : 'buyer',
      accountId: isInstallation ? null : actor.accountId,
      data: test.buyer.example,
    });
    await tx
      .insert(webhookDeliveries)
      .values({ id, endpointId, eventId, giveUpAt: secondsFromNow(testSeconds), nextAttemptAt: sql`now()` });
  });
  return sendDelivery(actor, scope, endpointId, id);
}

/**
 * Sends a delivery again, and waits for the result. Failed attempts are repeated for a day, as for a new event.
 * @throws AppError not_found, not_configured while webhooks are turned off, rate_limited
 */
export async function retryDelivery(
  actor: Actor,
  scope: Scope,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryView> {
  await allowSending(actor);
  await getDelivery(actor, scope, endpointId, deliveryId);
  await db().transaction(async (tx) => {
    // Its lock waits for the record of an attempt.
    const { leasedUntil } = await lockEndpoint(tx, actor, scope, endpointId);
    const isOwn = and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.endpointId, endpointId));
    // A message that is being sent is not sent a second time.
    const isIdle = leasedUntil > new Date() ? isNotNull(webhookDeliveries.finishedAt) : undefined;
    await tx
      .update(webhookDeliveries)
      .set({ ...newEnd, state: 'pending', nextAttemptAt: sql`now()` })
      .where(and(isOwn, isIdle));
  });
  return sendDelivery(actor, scope, endpointId, deliveryId);
}

/**
 * Sends an event of the list to an endpoint, for the first time or again, and waits for the result.
 * @throws AppError not_found, also for an event of another user; not_configured while webhooks are turned off, rate_limited
 */
export async function replayEvent(
  actor: Actor,
  scope: Scope,
  endpointId: string,
  eventId: string,
): Promise<DeliveryView> {
  await allowSending(actor);
  const id = await db().transaction(async (tx) => {
    await lockEndpoint(tx, actor, scope, endpointId);
    const [event] = await tx
      .select({ id: events.id })
      .from(events)
      .where(and(eq(events.id, eventId), isVisibleEvent(actor, scope)));
    if (!event) throw new AppError('not_found', 'This event does not exist, or is older than 30 days.');
    const [delivery] = await tx
      .insert(webhookDeliveries)
      .values({ id: newId(), endpointId, eventId, giveUpAt: newEnd.giveUpAt, nextAttemptAt: sql`now()` })
      // An open delivery keeps its turn.
      .onConflictDoUpdate({
        target: [webhookDeliveries.endpointId, webhookDeliveries.eventId],
        set: {
          ...newEnd,
          state: 'pending',
          nextAttemptAt: sql`coalesce(${webhookDeliveries.nextAttemptAt}, now())`,
        },
      })
      .returning({ id: webhookDeliveries.id });
    if (!delivery) throw new Error('The delivery was not stored.');
    return delivery.id;
  });
  return sendDelivery(actor, scope, endpointId, id);
}

async function allowSending({ userId }: Actor): Promise<void> {
  await requireFlag('webhooks');
  await consumeLimit('webhookSend', { account: userId, address: '' });
}

/** Sends a due delivery, unless a worker has the endpoint: the job then sends it. */
async function sendDelivery(actor: Actor, scope: Scope, endpointId: string, id: string): Promise<DeliveryView> {
  const leased = await leaseEndpoint(endpointId);
  if (leased) await runTurn(leased, () => undefined, id);
  return deliveryView(await getDelivery(actor, scope, endpointId, id));
}
