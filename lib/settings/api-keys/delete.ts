import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import type { DeleteApiKeyInput } from './schemas';
import { lockApiKeys, requireApiKey } from './update';

/**
 * Deletes an API key; tools that used it continue without one.
 * @throws AppError not_found, conflict for a stale `version`
 */
export async function deleteApiKey(actor: Actor, input: DeleteApiKeyInput): Promise<void> {
  await db().transaction(async (tx) => {
    await lockApiKeys(tx);
    const { id, name, provider, lastFour } = await requireApiKey(tx, input);
    await tx.delete(apiKeys).where(eq(apiKeys.id, id));
    await recordAudit(tx, actor, {
      action: 'api_key.deleted',
      details: `${provider} key “${name}” deleted, which ended in ${lastFour}.`,
      entityType: 'api_key',
      entityId: id,
      before: { name, provider, lastFour },
    });
  });
}
