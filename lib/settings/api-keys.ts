import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { cache } from 'react';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type ApiKeyProvider, apiKeyProviders } from '@/db/enums';
import { apiKeys } from '@/db/schema/api-keys';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { nameField, versionField } from '@/lib/platform/http/fields';
import { log } from '@/lib/platform/log/log';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { openSecret, type SecretSlot, sealSecret, UnreadableSecret } from '@/lib/platform/secrets';
import { readAnswers, type Service } from './service-answers';

const name = nameField('Enter a name.', 80, 'The name can have at most 80 characters.');
const provider = z.enum(apiKeyProviders, 'Choose a provider.');
const key = z
  .string()
  .trim()
  .min(8, 'The key must have at least 8 characters.')
  .max(500, 'The key can have at most 500 characters.')
  .regex(/^[\x21-\x7e]+$/, 'The key can contain only plain letters, digits and symbols, without spaces.');

export const createApiKeyInput = z.object({ name, provider, key });
type CreateApiKeyInput = z.output<typeof createApiKeyInput>;

export const updateApiKeyInput = z.object({
  id: z.string(),
  version: versionField,
  name,
  provider,
  /** A new key, or an empty string to keep the stored one. */
  key: z.union([z.literal(''), key]),
});
type UpdateApiKeyInput = z.output<typeof updateApiKeyInput>;

export const deleteApiKeyInput = updateApiKeyInput.pick({ id: true, version: true });
type DeleteApiKeyInput = z.output<typeof deleteApiKeyInput>;

/** The providers whose keys the app's tools use. */
const usedProviders: readonly ApiKeyProvider[] = ['OpenAI', 'Ahrefs', 'Telegram'];

/**
 * Lists all API keys without the encrypted text. `isInUse`: tools use the newest key of a provider. `answer` is what the
 * provider last answered to the key; null while it has not been used.
 */
export async function listApiKeys() {
  const { id, name, provider, lastFour, version, keySetAt } = apiKeys;
  const [rows, answerOf] = await Promise.all([
    db().select({ id, name, provider, lastFour, version, keySetAt }).from(apiKeys).orderBy(desc(keySetAt), desc(id)),
    readAnswers(),
  ]);
  return rows.map((row, index) => ({
    ...row,
    keySetAt: row.keySetAt.toISOString(),
    answer: answerOf(getKeyService(row)),
    isInUse:
      usedProviders.includes(row.provider) && rows.findIndex((other) => other.provider === row.provider) === index,
  }));
}
export type ApiKeyView = Awaited<ReturnType<typeof listApiKeys>>[number];

/** A key as a service: a replaced key has not answered yet. */
const getKeyService = ({ id, keySetAt }: { id: string; keySetAt: Date }): Service => ({
  name: `api-key:${id}`,
  credentials: keySetAt.toISOString(),
});

/**
 * Reads the key that tools use for a provider, the newest one. It must not leave the server or be logged.
 * @returns null when none is stored or it cannot be decrypted, because SECRET_KEYS lacks its key; the latter is logged,
 * and App Integrations shows it to the admin
 */
export async function getApiKey(provider: ApiKeyProvider): Promise<{ key: string; service: Service } | null> {
  const row = await findNewestKey(provider);
  if (!row) return null;
  try {
    return { key: openSecret(apiKeySlot(row.id), row.sealedKey), service: getKeyService(row) };
  } catch (thrown) {
    if (!(thrown instanceof UnreadableSecret)) throw thrown;
    log().error({ err: thrown }, 'A stored API key cannot be decrypted.');
    return null;
  }
}

/** Finds the key that tools use for a provider, as a service, without decrypting it. */
export async function findKeyService(provider: ApiKeyProvider): Promise<Service | null> {
  const row = await findNewestKey(provider);
  return row ? getKeyService(row) : null;
}

/** Finds the key of a provider, once for each page (React `cache`). */
const findNewestKey = cache(async (provider: ApiKeyProvider) => {
  const { id, sealedKey, keySetAt } = apiKeys;
  const [row] = await db()
    .select({ id, sealedKey, keySetAt })
    .from(apiKeys)
    .where(eq(apiKeys.provider, provider))
    .orderBy(desc(keySetAt), desc(id))
    .limit(1);
  return row;
});

/** Binds an encrypted API key to its row. */
export const apiKeySlot = (id: string): SecretSlot => ({ provider: 'api-key', mode: id, field: 'key' });

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
async function lockApiKeys(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('api keys'))`);
}

/**
 * Finds the row of an edit and checks its version.
 * @throws AppError not_found, conflict for a stale `version`
 */
async function requireApiKey(tx: Executor, { id, version }: { id: string; version: number }) {
  const [row] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id));
  if (!row) throw new AppError('not_found', 'This key was deleted in the meantime.');
  requireVersion(row, version, `“${row.name}”`);
  return row;
}

/** Requires a unique name. @throws AppError conflict when the provider has another key with this name */
async function requireUniqueName(
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
