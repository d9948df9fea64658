import { and, eq, sql } from 'drizzle-orm';
import { advisoryLock } from '@/db/advisory-locks';
import { db, type Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { requireFlag } from '@/lib/settings/feature-flags/read-flags';
import { notifyOfChange } from './notify';
import { getEndpoint } from './queries';
import { listAllowedTypes, type Scope } from './rights';
import type { CreateEndpointInput } from './schemas';
import { createWebhookSecret } from './secrets';
import { type EndpointView, endpointView } from './views';

/** The number of endpoints of a person, and of the installation. */
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
  const id = newId();
  const { secret, sealedSecret } = createWebhookSecret(id);
  const isInstallation = scope === 'installation';
  const row = await db().transaction(async (tx) => {
    await requireRoom(tx, actor, scope);
    await tx
      .insert(webhookEndpoints)
      .values({ id, ownerId: actor.userId, isInstallation, url, events, description, sealedSecret });
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
      text: `${isInstallation ? 'Events of the installation' : 'Your events'} are sent to ${host}.`,
    });
    return getEndpoint(actor, scope, id, tx);
  });
  return { ...endpointView(row), secret };
}

/** @throws AppError forbidden for types of which the actor may not learn */
export function requireTypes(actor: Actor, scope: Scope, types: readonly string[]): void {
  const allowed: readonly string[] = listAllowedTypes(actor, scope);
  const missing = types.filter((type) => !allowed.includes(type));
  if (missing.length === 0) return;
  const message = `You may not receive these events: ${missing.join(', ')}.`;
  throw new AppError('forbidden', message, { fields: { events: message } });
}

/** Counts under a lock, so that concurrent requests do not exceed the number. */
async function requireRoom(tx: Executor, { userId }: Actor, scope: Scope): Promise<void> {
  const isInstallation = scope === 'installation';
  if (isInstallation) await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('webhook-endpoints')})`);
  else await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
  const count = await tx
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.isInstallation, isInstallation),
        isInstallation ? undefined : eq(webhookEndpoints.ownerId, userId),
      ),
    );
  if (count.length < maxEndpoints[scope]) return;
  throw new AppError('conflict', `You have ${maxEndpoints[scope]} endpoints, which is the maximum. Delete one first.`);
}
