import { db } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { sealSecret } from '@/lib/platform/secrets';
import { apiKeySlot } from './read-api-key';
import type { CreateApiKeyInput } from './schemas';
import { lockApiKeys, requireUniqueName } from './update';

/**
 * Stores an API key, encrypted. The audit log contains its name and last four characters only.
 * @throws AppError conflict when the provider already has a key with this name
 */
export async function createApiKey(actor: Actor, { name, provider, key }: CreateApiKeyInput): Promise<void> {
  const id = newId();
  const lastFour = key.slice(-4);
  await db().transaction(async (tx) => {
    await lockApiKeys(tx);
    await requireUniqueName(tx, { provider, name });
    await tx.insert(apiKeys).values({ id, name, provider, sealedKey: sealSecret(apiKeySlot(id), key), lastFour });
    await recordAudit(tx, actor, {
      action: 'api_key.created',
      details: `${provider} key “${name}” stored, ending in ${lastFour}.`,
      entityType: 'api_key',
      entityId: id,
      after: { name, provider, lastFour },
    });
  });
}
