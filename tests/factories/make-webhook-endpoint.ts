import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { createWebhookSecret } from '@/lib/developers/webhooks/secrets';
import type { subscribableTypes } from '@/lib/events/types';
import { newId } from '@/lib/ids';

/** Inserts a webhook endpoint, also above the maximum of the installation, which tests share. @returns its id */
export async function makeWebhookEndpoint(
  owner: { userId: string },
  values: { isInstallation?: boolean; url: string; events: (typeof subscribableTypes)[number][] },
): Promise<string> {
  const id = newId();
  const { sealedSecret } = createWebhookSecret(id);
  await db()
    .insert(webhookEndpoints)
    .values({ id, ownerId: owner.userId, sealedSecret, ...values });
  return id;
}

/** Deletes the installation's endpoints that earlier tests left, so that a request can create one. */
export const removeEarlierEndpoints = () =>
  db()
    .delete(webhookEndpoints)
    .where(
      and(eq(webhookEndpoints.isInstallation, true), sql`${webhookEndpoints.createdAt} < now() - interval '2 minutes'`),
    );
