import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { apiTokens } from '../../db/schema/api-tokens';
import { recordAudit } from '../platform/audit/record';

/**
 * Revokes all API tokens of a user, when the account was recovered, suspended or deleted: its previous holder may have
 * created them. A password that the user changes with the current one keeps them.
 */
export async function revokeAllTokens(
  tx: Executor,
  actor: Parameters<typeof recordAudit>[1],
  userId: string,
): Promise<void> {
  const revoked = await tx
    .update(apiTokens)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiTokens.userId, userId), isNull(apiTokens.revokedAt)))
    .returning({ name: apiTokens.name });
  if (revoked.length === 0) return;
  await recordAudit(tx, actor, {
    action: 'api_token.revoked',
    details: `The API tokens of the account were revoked: ${revoked.map(({ name }) => `“${name}”`).join(', ')}.`,
    entityType: 'user',
    entityId: userId,
  });
}
