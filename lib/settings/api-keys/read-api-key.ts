import { desc, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import { log } from '../../platform/log/log';
import { openSecret, type SecretSlot, UnreadableSecret } from '../../platform/secrets';
import type { ApiKeyProvider } from './providers';

/**
 * The key that tools use for a provider: of several the one stored last. It never leaves the server and is never logged.
 * @returns null when none is stored, or when it does not open any more (SECRET_KEYS lost its key): the log says so, and
 * App Integrations shows it to the admin
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
    log().error({ err: thrown }, 'A stored API key cannot be opened.');
    return null;
  }
}

/** Binds a sealed key to its row. */
export const apiKeySlot = (id: string): SecretSlot => ({ provider: 'api-key', mode: id, field: 'key' });
