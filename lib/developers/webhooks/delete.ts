import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { lockEndpoint } from './queries';
import type { Scope } from './rights';

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
