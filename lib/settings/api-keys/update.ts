import { and, eq, ne, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import type { ApiKeyProvider } from '@/db/enums';
import { apiKeys } from '@/db/schema/api-keys';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { sealSecret } from '@/lib/platform/secrets';
import { apiKeySlot } from './read-api-key';
import type { UpdateApiKeyInput } from './schemas';

/**
 * Updates an API key's name and provider, and optionally replaces the key.
 * @throws AppError not_found, conflict for a stale `version` or a name that the provider already has
 */
export async function updateApiKey(actor: Actor, input: UpdateApiKeyInput): Promise<void> {
  const { id, name, provider, key } = input;
  await db().transaction(async (tx) => {
    await lockApiKeys(tx);
    const before = await requireApiKey(tx, input);
    await requireUniqueName(tx, { provider, name, id });
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
          ? `${provider} key “${name}” changed; the key itself was kept.`
          : `${provider} key “${name}” replaced; the new one ends in ${lastFour}.`,
      entityType: 'api_key',
      entityId: id,
      before: { name: before.name, provider: before.provider, lastFour: before.lastFour },
      after: { name, provider, lastFour },
    });
  });
}

/** Serializes writers of API keys until the commit, because names are compared before they are written. */
export async function lockApiKeys(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('api keys'))`);
}

/**
 * Finds the row of an edit and checks its version.
 * @throws AppError not_found, conflict for a stale `version`
 */
export async function requireApiKey(tx: Executor, { id, version }: { id: string; version: number }) {
  const [row] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id));
  if (!row) throw new AppError('not_found', 'This key was deleted in the meantime.');
  requireVersion(row, version, `“${row.name}”`);
  return row;
}

/** @throws AppError conflict when the provider has another key with this name */
export async function requireUniqueName(
  tx: Executor,
  { provider, name, id = '' }: { provider: ApiKeyProvider; name: string; id?: string },
): Promise<void> {
  const [holder] = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.provider, provider), eq(apiKeys.name, name), ne(apiKeys.id, id)));
  if (!holder) return;
  const text = `A ${provider} key with this name already exists. Choose another name, or replace that key.`;
  throw new AppError('conflict', text, { fields: { name: text } });
}
