import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { secondsFromNow } from '@/lib/platform/leases';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { UnreadableSecret } from '@/lib/platform/secrets';
import { requireFlag } from '@/lib/settings/feature-flags/read-flags';
import { notifyOfChange } from './notify';
import { lockEndpoint } from './queries';
import type { Scope } from './rights';
import { createWebhookSecret, rotationHours, sealAsPrevious } from './secrets';

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

/** A secret that cannot be decrypted has no successor to overlap with. */
function resealAsPrevious(endpoint: Parameters<typeof sealAsPrevious>[0]): string | null {
  try {
    return sealAsPrevious(endpoint);
  } catch (thrown) {
    if (thrown instanceof UnreadableSecret) return null;
    throw thrown;
  }
}
