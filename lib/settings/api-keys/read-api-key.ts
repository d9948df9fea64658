import { desc, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import type { ApiKeyProvider } from '@/db/enums';
import { apiKeys } from '@/db/schema/api-keys';
import { log } from '@/lib/platform/log/log';
import { openSecret, type SecretSlot, UnreadableSecret } from '@/lib/platform/secrets';

/**
 * Reads the key that tools use for a provider, the newest one. It must not leave the server or be logged.
 * @returns null when none is stored or it cannot be decrypted, because SECRET_KEYS lacks its key; the latter is logged,
 * and App Integrations shows it to the admin
 */
export async function readApiKey(provider: ApiKeyProvider): Promise<string | null> {
  const [row] = await db()
    .select({ id: apiKeys.id, sealedKey: apiKeys.sealedKey })
    .from(apiKeys)
    .where(eq(apiKeys.provider, provider))
    .orderBy(desc(apiKeys.keySetAt), desc(apiKeys.id))
    .limit(1);
  if (!row) return null;
  try {
    return openSecret(apiKeySlot(row.id), row.sealedKey);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableSecret)) throw thrown;
    log().error({ err: thrown }, 'A stored API key cannot be decrypted.');
    return null;
  }
}

/** Binds an encrypted API key to its row. */
export const apiKeySlot = (id: string): SecretSlot => ({ provider: 'api-key', mode: id, field: 'key' });
