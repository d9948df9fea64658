import { and, eq, ne, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { apiKeys } from '../../db/schema/api-keys';
import { AppError } from '../errors';
import { requireVersion } from '../settings/require-version';
import type { ApiKeyProvider } from './providers';

/** Whoever writes keys holds this until the commit: names are compared before they are written. */
export async function lockApiKeys(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('api keys'))`);
}

/**
 * The row that an edit means.
 * @throws AppError not_found, conflict for a stale `version`
 */
export async function editedApiKey(tx: Executor, { id, version }: { id: string; version: number }) {
  const [row] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id));
  return requireVersion(row, { version, noun: 'key', nameOf: ({ name }) => name });
}

/** @throws AppError conflict when a provider has another key of that name */
export async function requireFreeName(
  tx: Executor,
  { provider, name, id = '' }: { provider: ApiKeyProvider; name: string; id?: string },
): Promise<void> {
  const [holder] = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.provider, provider), eq(apiKeys.name, name), ne(apiKeys.id, id)));
  if (!holder) return;
  const text = `There is a ${provider} key of this name already. Choose another name, or replace that key.`;
  throw new AppError('conflict', text, { fields: { name: text } });
}
