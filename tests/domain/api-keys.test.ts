import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import { auditLogs } from '@/db/schema/audit';
import type { Actor } from '@/lib/access/actor';
import {
  createApiKey,
  createApiKeyInput,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  updateApiKey,
} from '@/lib/settings/api-keys';
import { makeUser } from '@/tests/factories/make-user';

let admin: Actor;
const secret = 'sk-proj-a-secret-test-key-value-9xQz';

beforeEach(async () => {
  await db().delete(apiKeys);
  admin = await makeUser('Admin');
});

async function onlyKey() {
  const [key, ...others] = await listApiKeys();
  if (!key || others.length > 0) throw new Error('There should be one key.');
  return key;
}

describe('an API key', () => {
  it('is stored encrypted, shown by its last four characters, and decrypted only for the tools', async () => {
    await createApiKey(admin, { name: 'Texts', provider: 'OpenAI', key: secret });
    expect(await onlyKey()).toMatchObject({ name: 'Texts', provider: 'OpenAI', lastFour: '9xQz', isInUse: true });
    expect((await getApiKey('OpenAI'))?.key).toBe(secret);
    expect(await getApiKey('Moz')).toBeNull();

    const everything = JSON.stringify([
      await listApiKeys(),
      await db().select().from(apiKeys),
      await db().select().from(auditLogs),
    ]);
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(secret.slice(0, -4));
  });

  it('uses the replacement after a key was replaced', async () => {
    await createApiKey(admin, { name: 'Texts', provider: 'OpenAI', key: secret });
    const { id, version } = await onlyKey();
    await updateApiKey(admin, { id, version, name: 'Texts', provider: 'OpenAI', key: 'sk-another-key-abcd' });
    expect(await onlyKey()).toMatchObject({ lastFour: 'abcd', version: version + 1 });
    expect((await getApiKey('OpenAI'))?.key).toBe('sk-another-key-abcd');
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id));
    expect(lines.map(({ action }) => action).sort()).toEqual(['api_key.created', 'api_key.replaced']);
  });

  it('keeps the secret when only the name changes', async () => {
    await createApiKey(admin, { name: 'Texts', provider: 'OpenAI', key: secret });
    const { id, version } = await onlyKey();
    await updateApiKey(admin, { id, version, name: 'Titles', provider: 'OpenAI', key: '' });
    expect(await onlyKey()).toMatchObject({ name: 'Titles', lastFour: '9xQz' });
    expect((await getApiKey('OpenAI'))?.key).toBe(secret);
  });

  it('uses the newest of several, and the next one after a deletion', async () => {
    await createApiKey(admin, { name: 'First', provider: 'OpenAI', key: secret });
    await createApiKey(admin, { name: 'Second', provider: 'OpenAI', key: 'sk-the-second-key' });
    expect((await getApiKey('OpenAI'))?.key).toBe('sk-the-second-key');
    const second = (await listApiKeys()).find(({ name }) => name === 'Second');
    if (!second) throw new Error('No second key.');
    expect(second.isInUse).toBe(true);
    await deleteApiKey(admin, second);
    expect((await getApiKey('OpenAI'))?.key).toBe(secret);
  });

  it('accepts the first of two concurrent edits, and rejects the second as stale', async () => {
    await createApiKey(admin, { name: 'Texts', provider: 'OpenAI', key: secret });
    const { id, version } = await onlyKey();
    const edits = ['A', 'B'].map((name) => updateApiKey(admin, { id, version, name, provider: 'OpenAI', key: '' }));
    const outcomes = await Promise.allSettled(edits);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(deleteApiKey(admin, { id, version })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('has a unique name per provider, also with ten concurrent inserts', async () => {
    const adding = Array.from({ length: 10 }, () =>
      createApiKey(admin, { name: 'Texts', provider: 'Moz', key: secret }),
    );
    const outcomes = await Promise.allSettled(adding);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await createApiKey(admin, { name: 'Texts', provider: 'Ahrefs', key: secret });
  });

  it('that cannot be decrypted counts as missing and is logged without its value', async () => {
    await createApiKey(admin, { name: 'Texts', provider: 'OpenAI', key: secret });
    await createApiKey(admin, { name: 'Other', provider: 'Moz', key: secret });
    const [moz] = await db().select().from(apiKeys).where(eq(apiKeys.provider, 'Moz'));
    // The ciphertext of another row: it is bound to that row and opens nowhere else.
    await db()
      .update(apiKeys)
      .set({ sealedKey: moz?.sealedKey ?? '' })
      .where(eq(apiKeys.provider, 'OpenAI'));
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await getApiKey('OpenAI')).toBeNull();
    expect(log.mock.calls.flat().join()).toContain('cannot be decrypted');
    expect(log.mock.calls.flat().join()).not.toContain(secret);
    log.mockRestore();
  });

  it.each(['short', 'with a space inside', 'ключ-ключ-ключ', `long${'x'.repeat(500)}`])('rejects %s', (key) => {
    expect(createApiKeyInput.safeParse({ name: 'Texts', provider: 'OpenAI', key }).success).toBe(false);
  });
});
