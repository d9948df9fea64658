import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { apiTokens } from '@/db/schema/api-tokens';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { recordAudit } from '@/lib/platform/audit/record';

/**
 * Revokes all API tokens of a user and turns off the webhook endpoints, when the account was recovered, suspended or
 * deleted: its previous holder may have created them. A password that the user changes with the current one keeps them.
 */
export async function revokeProgramAccess(
  tx: Executor,
  actor: Parameters<typeof recordAudit>[1],
  userId: string,
): Promise<void> {
  const revoked = await tx
    .update(apiTokens)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiTokens.userId, userId), isNull(apiTokens.revokedAt)))
    .returning({ name: apiTokens.name });
  const off = await tx
    .update(webhookEndpoints)
    .set({
      isEnabled: false,
      offReason: 'owner',
      disabledAt: sql`now()`,
      version: sql`${webhookEndpoints.version} + 1`,
    })
    .where(and(eq(webhookEndpoints.ownerId, userId), webhookEndpoints.isEnabled))
    .returning({ url: webhookEndpoints.url });
  const subject = { entityType: 'user', entityId: userId };
  if (revoked.length > 0) {
    await recordAudit(tx, actor, {
      action: 'api_token.revoked',
      details: `The API tokens of the account were revoked: ${revoked.map(({ name }) => `“${name}”`).join(', ')}.`,
      ...subject,
    });
  }
  if (off.length > 0) {
    await recordAudit(tx, actor, {
      action: 'webhook.updated',
      details: `The webhook endpoints of the account were turned off: ${off.map(({ url }) => new URL(url).host).join(', ')}.`,
      ...subject,
    });
  }
}
