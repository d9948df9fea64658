import { and, eq, exists, notInArray, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { events as eventRows } from '@/db/schema/events';
import { webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Actor } from '@/lib/access/actor';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { requireFlag } from '@/lib/settings/feature-flags/read-flags';
import { requireTypes } from './create';
import { notifyOfChange } from './notify';
import { getEndpoint, lockEndpoint } from './queries';
import type { Scope } from './rights';
import type { UpdateEndpointInput } from './schemas';
import { type EndpointView, endpointView } from './views';

/**
 * Changes an endpoint, or turns it on or off. An endpoint of the installation then depends on the rights of the actor.
 * @throws AppError not_found, not_configured while webhooks are turned off, forbidden for events that the actor may not
 * see, rate_limited
 */
export async function updateEndpoint(
  actor: Actor,
  scope: Scope,
  id: string,
  input: UpdateEndpointInput,
): Promise<EndpointView> {
  // An endpoint can be turned off at any time.
  if (Object.keys(input).some((name) => name !== 'isEnabled') || input.isEnabled) await requireFlag('webhooks');
  if (input.url !== undefined) await consumeLimit('webhookChange', { account: actor.userId, address: '' });
  const row = await db().transaction(async (tx) => {
    const before = await lockEndpoint(tx, actor, scope, id);
    if (input.events) requireTypes(actor, scope, input.events);
    const turnsOn = input.isEnabled === true && !before.isEnabled;
    const turnsOff = input.isEnabled === false && before.isEnabled;
    await tx
      .update(webhookEndpoints)
      .set({
        ...(input.url !== undefined && { url: input.url }),
        ...(input.events && { events: input.events }),
        ...(input.description !== undefined && { description: input.description }),
        ownerId: actor.userId,
        ...(turnsOn && {
          ...{ isEnabled: true, offReason: null, disabledAt: null, failingSince: null, failures: 0, isSlow: false },
          pausedUntil: sql`now()`,
        }),
        ...(turnsOff && { isEnabled: false, offReason: 'owner', disabledAt: sql`now()` }),
        version: before.version + 1,
      })
      .where(eq(webhookEndpoints.id, id));
    if (input.events) await cancelOtherTypes(tx, id, input.events);
    const { url, events, ...rest } = input;
    const host = new URL(url ?? before.url).host;
    // The path of the address may contain a secret of the receiver.
    const changes = computeChanges(
      { ...before, events: before.events.join(', '), host: new URL(before.url).host },
      { ...rest, host, ...(events && { events: events.join(', ') }) },
    );
    const isMoved = url !== undefined && url !== before.url;
    await recordAudit(tx, actor, {
      action: 'webhook.updated',
      details: `The webhook endpoint at ${host} was changed${isMoved ? ', with its address' : ''}: ${changes.fields.join(', ') || 'nothing else'}.`,
      entityType: 'webhook_endpoint',
      entityId: id,
      before: { ...changes.before },
      after: { ...changes.after },
    });
    if (isMoved) {
      await notifyOfChange(tx, actor, scope, {
        subject: 'The address of a webhook endpoint was changed',
        text: `${scope === 'installation' ? 'Events of the installation' : 'Your events'} are sent to ${host}.`,
      });
    }
    return getEndpoint(actor, scope, id, tx);
  });
  return endpointView(row);
}

/** Cancels what waits to be sent of types that the endpoint no longer receives. */
async function cancelOtherTypes(tx: Executor, endpointId: string, types: readonly string[]): Promise<void> {
  const others = tx
    .select({ id: eventRows.id })
    .from(eventRows)
    .where(and(eq(eventRows.id, webhookDeliveries.eventId), notInArray(eventRows.type, [...types, 'webhook.test'])));
  await tx
    .update(webhookDeliveries)
    .set({
      state: 'canceled',
      nextAttemptAt: null,
      finishedAt: sql`now()`,
      lastError: 'The endpoint no longer receives it.',
    })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.state, 'pending'), exists(others)));
}
