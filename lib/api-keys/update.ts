import { eq, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { apiKeys } from '../../db/schema/api-keys';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { sealSecret } from '../payments/secrets';
import { editedApiKey, lockApiKeys, requireFreeName } from './edited-row';
import type { UpdateApiKeyInput } from './schemas';
import { apiKeySlot } from './slot';

/**
 * Renames a key, or puts another in its place.
 * @throws AppError not_found, conflict for a stale `version` or a name that the provider has already
 */
export async function updateApiKey(actor: Actor, input: UpdateApiKeyInput): Promise<void> {
  const { id, name, provider, key } = input;
  await db().transaction(async (tx) => {
    await lockApiKeys(tx);
    const before = await editedApiKey(tx, input);
    await requireFreeName(tx, { provider, name, id });
    const lastFour = key === '' ? before.lastFour : key.slice(-4);
    await tx
      .update(apiKeys)
      .set({
        name,
        provider,
        version: before.version + 1,
        ...(key !== '' && { sealedKey: sealSecret(apiKeySlot(id), key), lastFour, keySetAt: sql`now()` }),
      })
      .where(eq(apiKeys.id, id));
    await recordAudit(tx, actor, {
      action: key === '' ? 'api_key.changed' : 'api_key.replaced',
      details:
        key === ''
          ? `${provider} key “${name}” changed; the key itself stayed.`
          : `${provider} key “${name}” replaced; the new one ends in ${lastFour}.`,
      entityType: 'api_key',
      entityId: id,
      before: { name: before.name, provider: before.provider, lastFour: before.lastFour },
      after: { name, provider, lastFour },
    });
  });
}
