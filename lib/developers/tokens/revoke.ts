import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { apiTokens } from '@/db/schema/api-tokens';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';

/**
 * Revokes an API token of the actor: it is refused from the next request.
 * @throws AppError not_found for a token of another user, and when it was already revoked
 */
export async function revokeToken(actor: Actor, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [revoked] = await tx
      .update(apiTokens)
      .set({ revokedAt: sql`now()` })
      .where(and(eq(apiTokens.id, id), eq(apiTokens.userId, actor.userId), isNull(apiTokens.revokedAt)))
      .returning({ name: apiTokens.name });
    if (!revoked) throw new AppError('not_found', 'This API token does not exist or was already revoked.');
    await recordAudit(tx, actor, {
      action: 'api_token.revoked',
      details: `${actor.email} revoked the API token “${revoked.name}”.`,
      entityType: 'api_token',
      entityId: id,
    });
  });
}
