import { desc } from 'drizzle-orm';
import { db } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import type { ApiKeyProvider } from './providers';

/** Providers that a tool of ours asks with their key. */
const usedProviders: readonly ApiKeyProvider[] = ['OpenAI'];

/** A key as an admin sees it: never more of it than the last four characters. */
export type ApiKeyView = {
  id: string;
  name: string;
  provider: ApiKeyProvider;
  lastFour: string;
  version: number;
  /** ISO 8601; of the key itself, not of its name. */
  keySetAt: string;
  /** The one that tools take: of several of a provider the newest. */
  isInUse: boolean;
};

/** Every key, without the sealed text: what a screen needs not, no query reads. */
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
