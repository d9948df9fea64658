import { and, eq, exists, notInArray, sql } from 'drizzle-orm';
import { advisoryLock } from '@/db/advisory-locks';
import { db, type Executor } from '@/db/client';
import { events as eventRows } from '@/db/schema/events';
import { webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { requireRecentAuthentication } from '@/lib/auth/recent-authentication';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { queueAccountNotice, queueAdminNotice } from '@/lib/mail/security-notices';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { secondsFromNow } from '@/lib/platform/leases';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { UnreadableSecret } from '@/lib/platform/secrets';
import { requireFlag } from '@/lib/settings/feature-flags';
import { type CreateEndpointInput, type EndpointView, endpointView, type UpdateEndpointInput } from './contract';
import { getEndpoint, lockEndpoint } from './queries';
import { listAllowedTypes, type Scope } from './rights';
import { createWebhookSecret, rotationHours, sealAsPrevious } from './secrets';

/** The number of endpoints of an account, and of the installation. */
export const maxEndpoints = { own: 10, installation: 20 } as const;

/**
 * Creates a webhook endpoint. Its owner, or the admins for the installation, are mailed, because a stolen session could
 * do it.
 * @returns the endpoint with its secret, which no later answer contains
 * @throws AppError not_configured while webhooks are turned off, forbidden for events that the actor may not see, conflict
 * above the number of endpoints, rate_limited
 */
export async function createEndpoint(
  actor: Actor,
  scope: Scope,
  { url, events, description }: CreateEndpointInput,
): Promise<EndpointView & { secret: string }> {
  await requireFlag('webhooks');
  await consumeLimit('webhookChange', { account: actor.userId, address: '' });
  requireTypes(actor, scope, events);
  requireAllProjects(actor, scope);
  const id = newId();
  const { secret, sealedSecret } = createWebhookSecret(id);
  const isInstallation = scope === 'installation';
  const row = await db().transaction(async (tx) => {
    await requireRoom(tx, actor, scope);
    await tx
      .insert(webhookEndpoints)
      .values({ id, ...ownerOf(actor, scope), isInstallation, url, events, description, sealedSecret });
    const { host } = new URL(url);
    await recordAudit(tx, actor, {
      action: 'webhook.created',
      // The path may contain a secret of the receiver.
      details: `A webhook endpoint${isInstallation ? ' of the installation' : ''} at ${host} was created.`,
      entityType: 'webhook_endpoint',
      entityId: id,
      after: { host, events, description, isInstallation },
    });
    await notifyOfChange(tx, actor, scope, {
      subject: 'A webhook endpoint was added',
      text: `${isInstallation ? 'Events of the installation' : describeOwn(actor)} are sent to ${host}.`,
    });
    return getEndpoint(actor, scope, id, tx);
  });
  return { ...endpointView(row), secret };
}

/** Requires the right to every type. @throws AppError forbidden for types of which the actor may not learn */
function requireTypes(actor: Actor, scope: Scope, types: readonly string[]): void {
  const allowed: readonly string[] = listAllowedTypes(actor, scope);
  const missing = types.filter((type) => !allowed.includes(type));
  if (missing.length === 0) return;
  const message = `You may not receive these events: ${missing.join(', ')}.`;
  throw new AppError('forbidden', message, { fields: { events: message } });
}

/** Events tell of all projects of the account. @throws AppError forbidden for a member who sees certain projects */
function requireAllProjects({ projectIds, accountName }: Actor, scope: Scope): void {
  if (scope === 'installation' || projectIds === null) return;
  throw new AppError(
    'forbidden',
    `Webhooks tell of all projects of ${accountName}, and you see certain ones. Ask a member who sees all of them.`,
  );
}

/** Returns the account of an endpoint, and whose rights decide what is sent. */
function ownerOf({ userId, accountId }: Actor, scope: Scope) {
  if (scope === 'installation') return { ownerId: userId, savedBy: null };
  return { ownerId: accountId, savedBy: accountId === userId ? null : userId };
}

/** Counts under a lock, so that concurrent requests do not exceed the number. */
async function requireRoom(tx: Executor, { accountId }: Actor, scope: Scope): Promise<void> {
  const isInstallation = scope === 'installation';
  if (isInstallation) await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('webhook-endpoints')})`);
  else await lockAccount(tx, accountId);
  const count = await tx
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.channel, 'webhook'),
        eq(webhookEndpoints.isInstallation, isInstallation),
        isInstallation ? undefined : eq(webhookEndpoints.ownerId, accountId),
      ),
    );
  if (count.length < maxEndpoints[scope]) return;
  throw new AppError('conflict', `You have ${maxEndpoints[scope]} endpoints, which is the maximum. Delete one first.`);
}

/**
 * Changes an endpoint, or turns it on or off. An endpoint of the installation then depends on the rights of the actor.
 * @throws AppError not_found, not_configured while webhooks are turned off, forbidden for events that the actor may not
 * see, reauthentication_required for another address without a recent authentication, rate_limited
 */
export async function updateEndpoint(
  actor: Actor,
  scope: Scope,
  id: string,
  input: UpdateEndpointInput,
): Promise<EndpointView> {
  // An endpoint can be turned off at any time.
  if (Object.keys(input).some((name) => name !== 'isEnabled') || input.isEnabled) await requireFlag('webhooks');
  if (input.url !== undefined) {
    requireRecentAuthentication(actor);
    await consumeLimit('webhookChange', { account: actor.userId, address: '' });
  }
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
        ...ownerOf(actor, scope),
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
        text: `${scope === 'installation' ? 'Events of the installation' : describeOwn(actor)} are sent to ${host}.`,
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

/**
 * Gives an endpoint a new secret. The one before also signs for a day, so that the receiver can be changed without losing a
 * message; an older one ends at once.
 * @returns the secret, which no later answer contains
 * @throws AppError not_found, not_configured while webhooks are turned off, rate_limited
 */
export async function rotateSecret(
  actor: Actor,
  scope: Scope,
  id: string,
): Promise<{ secret: string; previousSecretUntil: string }> {
  await requireFlag('webhooks');
  await consumeLimit('webhookChange', { account: actor.userId, address: '' });
  const { secret, sealedSecret } = createWebhookSecret(id);
  return db().transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, actor, scope, id);
    const [rotated] = await tx
      .update(webhookEndpoints)
      .set({
        sealedSecret,
        sealedPreviousSecret: resealAsPrevious(endpoint),
        previousSecretUntil: secondsFromNow(rotationHours * 3_600),
        version: endpoint.version + 1,
      })
      .where(eq(webhookEndpoints.id, id))
      .returning({ until: webhookEndpoints.previousSecretUntil });
    if (!rotated?.until) throw new Error('The secret was not stored.');
    const { host } = new URL(endpoint.url);
    await recordAudit(tx, actor, {
      action: 'webhook.secret_rotated',
      details: `The signing secret of the webhook endpoint at ${host} was rotated.`,
      entityType: 'webhook_endpoint',
      entityId: id,
    });
    await notifyOfChange(tx, actor, scope, {
      subject: 'The secret of a webhook endpoint was rotated',
      text: `The endpoint at ${host} has a new signing secret.`,
    });
    return { secret, previousSecretUntil: rotated.until.toISOString() };
  });
}

/** Encrypts the secret as the previous one. One that cannot be decrypted has no successor to overlap with. */
function resealAsPrevious(endpoint: Parameters<typeof sealAsPrevious>[0]): string | null {
  try {
    return sealAsPrevious(endpoint);
  } catch (thrown) {
    if (thrown instanceof UnreadableSecret) return null;
    throw thrown;
  }
}

/** Deletes an endpoint with its secret and its log, also while webhooks are turned off. @throws AppError not_found */
export async function deleteEndpoint(actor: Actor, scope: Scope, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const { url, events } = await lockEndpoint(tx, actor, scope, id);
    await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id));
    const { host } = new URL(url);
    await recordAudit(tx, actor, {
      action: 'webhook.deleted',
      details: `The webhook endpoint at ${host} was deleted.`,
      entityType: 'webhook_endpoint',
      entityId: id,
      before: { host, events },
    });
  });
}

const describeOwn = ({ accountName }: Actor): string => (accountName ? `The events of ${accountName}` : 'Your events');

/** Mails a change of where events go, or of a secret, to the owner, or to all admins for the installation. */
async function notifyOfChange(
  tx: Executor,
  actor: Actor,
  scope: Scope,
  notice: { subject: string; text: string },
): Promise<void> {
  if (scope === 'installation') await queueAdminNotice(tx, actor, notice);
  else await queueAccountNotice(tx, actor.email, { ...notice, from: actor.ip });
}
