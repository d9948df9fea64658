import { desc } from 'drizzle-orm';
import { db } from '@/db/client';
import type { ApiKeyProvider } from '@/db/enums';
import { apiKeys } from '@/db/schema/api-keys';

/** The providers whose keys the app's tools use. */
const usedProviders: readonly ApiKeyProvider[] = ['OpenAI'];

/** An API key for display, with its last four characters only. */
export type ApiKeyView = {
  id: string;
  name: string;
  provider: ApiKeyProvider;
  lastFour: string;
  version: number;
  /** ISO 8601; the time of the key, not of its name. */
  keySetAt: string;
  /** Whether tools use it: the newest key of a provider. */
  isInUse: boolean;
};

/** Lists all API keys without the encrypted text. */
export async function listApiKeys(): Promise<ApiKeyView[]> {
  const { id, name, provider, lastFour, version, keySetAt } = apiKeys;
  const rows = await db()
    .select({ id, name, provider, lastFour, version, keySetAt })
    .from(apiKeys)
    .orderBy(desc(keySetAt), desc(id));
  return rows.map((row, index) => ({
    ...row,
    keySetAt: row.keySetAt.toISOString(),
    isInUse:
      usedProviders.includes(row.provider) && rows.findIndex((other) => other.provider === row.provider) === index,
  }));
}
