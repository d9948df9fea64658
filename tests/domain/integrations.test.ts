import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import { paymentConfigs, paymentModes } from '@/db/schema/payment-configs';
import { serviceAnswers } from '@/db/schema/service-answers';
import { settings } from '@/db/schema/settings';
import { type Actor, systemActor } from '@/lib/access/actor';
import { listIntegrations } from '@/lib/integrations/list';
import { type IntegrationName, testIntegration } from '@/lib/integrations/test-integration';
import { savePaymentConfig } from '@/lib/payments/config/config';
import { createApiKey, listApiKeys } from '@/lib/settings/api-keys';
import { setFlag } from '@/lib/settings/feature-flags';
import { saveRatingBudget } from '@/lib/sites/domain-figures/ahrefs/budget';
import { type RunningGateway, startGateway } from '@/sandbox/start';
import { makeUser } from '@/tests/factories/make-user';
import { settle } from '@/tests/setup/settle';

let gateway: RunningGateway;
let admin: Actor;

beforeAll(async () => {
  gateway = await startGateway({ port: 0, appUrl: 'http://127.0.0.1:9', stripeWebhookSecret: 'whsec_unused' });
  // Read when the environment is first used, which has not happened yet.
  process.env.OPENAI_BASE_URL = `${gateway.url}/v1`;
  process.env.AHREFS_BASE_URL = gateway.url;
  process.env.TELEGRAM_BASE_URL = `${gateway.url}/telegram`;
  process.env.STRIPE_BASE_URL = `http://127.0.0.1:${gateway.ports.stripe}`;
  process.env.CLAMD_ADDRESS = '127.0.0.1:9';
  admin = await makeUser('Admin');
});
afterAll(() => gateway.close());

beforeEach(async () => {
  for (const table of [apiKeys, settings, paymentConfigs, paymentModes, serviceAnswers]) await db().delete(table);
});

const stateOf = async (name: IntegrationName) =>
  (await listIntegrations()).find((integration) => integration.name === name);
const ask = (name: IntegrationName) => testIntegration(admin, { name });
const enterStripe = (key = 'sk_test_1') =>
  savePaymentConfig(systemActor('Test', 'script'), {
    provider: 'stripe',
    mode: 'test',
    fields: { publishable_key: 'pk_test_1' },
    secrets: { secret_key: key, webhook_secret: 'whsec_1' },
  });

describe('an integration', () => {
  it('of payments follows the stored configuration and the flag', async () => {
    expect(await stateOf('stripe')).toMatchObject({ state: 'missing', canBeTested: false });
    expect(await ask('stripe')).toEqual({ ok: false, message: 'No mode is active yet.' });
    await enterStripe();
    // Stored keys say nothing until the provider has answered to them.
    expect(await stateOf('stripe')).toMatchObject({ state: 'unchecked', answer: null, canBeTested: true });
    expect(await ask('stripe')).toMatchObject({ ok: true });
    expect(await stateOf('stripe')).toMatchObject({ state: 'connected', answer: { at: expect.any(Date) } });
    await enterStripe('invented');
    expect(await stateOf('stripe')).toMatchObject({ state: 'unchecked', answer: null });
    const refused = await ask('stripe');
    expect(refused.ok).toBe(false);
    expect(await stateOf('stripe')).toMatchObject({ state: 'failed', answer: refused });
    await setFlag(admin, { name: 'topup-stripe', isOn: false, version: 0 });
    expect(await stateOf('stripe')).toMatchObject({ state: 'off' });
    await db()
      .update(paymentConfigs)
      .set({ secrets: { secret_key: 'v1.gone.aaaa.aaaa.aaaa', webhook_secret: 'v1.gone.aaaa.aaaa.aaaa' } });
    expect(await stateOf('stripe')).toMatchObject({ state: 'broken' });
  });

  it('of OpenAI requires a key that decrypts, which the test sends to OpenAI', async () => {
    expect(await stateOf('openai')).toMatchObject({ state: 'missing', canBeTested: false });
    await createApiKey(admin, { name: 'Wrong', provider: 'OpenAI', key: 'not-a-key-of-theirs' });
    expect(await stateOf('openai')).toMatchObject({ state: 'unchecked' });
    expect(await ask('openai')).toEqual({ ok: false, message: 'OpenAI does not recognize this key.' });
    expect(await stateOf('openai')).toMatchObject({ state: 'failed' });
    await createApiKey(admin, { name: 'Right', provider: 'OpenAI', key: 'sk-right-key' });
    expect(await ask('openai')).toEqual({ ok: true, message: 'OpenAI accepts the key.' });
    expect(await stateOf('openai')).toMatchObject({ state: 'connected' });
    expect((await listApiKeys()).map(({ name, answer }) => [name, answer?.ok])).toEqual([
      ['Right', true],
      ['Wrong', false],
    ]);
    await db().update(apiKeys).set({ sealedKey: 'v1.gone.aaaa.aaaa.aaaa' });
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await stateOf('openai')).toMatchObject({ state: 'broken' });
    log.mockRestore();
  });

  it('of Ahrefs is tested by a rating, and is off while its budget is 0', async () => {
    expect(await stateOf('ahrefs')).toMatchObject({ state: 'missing', canBeTested: false });
    expect(await ask('ahrefs')).toMatchObject({ ok: false });
    await createApiKey(admin, { name: 'Ratings', provider: 'Ahrefs', key: 'ahrefs-sandbox-key' });
    expect(await ask('ahrefs')).toEqual({ ok: true, message: 'Ahrefs accepts the key.' });
    expect(await stateOf('ahrefs')).toMatchObject({ state: 'connected' });
    await saveRatingBudget(admin, { requestsPerDay: 0, version: 0 });
    expect(await stateOf('ahrefs')).toMatchObject({ state: 'off', canBeTested: true });
  });

  it('of Telegram is tested by the name of its bot', async () => {
    expect(await stateOf('telegram')).toMatchObject({ state: 'missing', canBeTested: false });
    await createApiKey(admin, { name: 'Bot', provider: 'Telegram', key: '1234567:unknown' });
    expect(await ask('telegram')).toMatchObject({ ok: false, message: expect.stringContaining('@BotFather') });
    expect(await stateOf('telegram')).toMatchObject({ state: 'failed' });
    await createApiKey(admin, { name: 'Bot 2', provider: 'Telegram', key: '1234567:sandbox' });
    expect(await ask('telegram')).toEqual({ ok: true, message: 'Telegram knows the bot @linkmarket_sandbox_bot.' });
    expect(await stateOf('telegram')).toMatchObject({ state: 'connected' });
    // Its messages go elsewhere.
    const setWebhook = (webhook: string) =>
      fetch(`${gateway.url}/controls/telegram`, { method: 'POST', body: JSON.stringify({ webhook }) });
    await setWebhook('https://bot.example');
    expect(await ask('telegram')).toMatchObject({ ok: false, message: expect.stringContaining('webhook') });
    expect(await stateOf('telegram')).toMatchObject({ state: 'failed' });
    await setWebhook('');
  });

  it('of storage writes, reads and deletes a file', async () => {
    expect(await stateOf('s3')).toMatchObject({ state: 'missing', canBeTested: true });
    expect(await ask('s3')).toEqual({ ok: true, message: 'A file was written to the folder, read and deleted.' });
  });

  it('of the virus scanner reports when it does not respond', async () => {
    expect(await stateOf('clamd')).toMatchObject({ state: 'unchecked' });
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await ask('clamd')).toMatchObject({ ok: false });
    expect(await stateOf('clamd')).toMatchObject({ state: 'failed' });
    log.mockRestore();
  });
});

it('can be tested 20 times in ten minutes per user, because each test calls a service', async () => {
  const eager = await makeUser('Admin');
  const outcomes = await settle(Array.from({ length: 22 }, () => testIntegration(eager, { name: 'wechat' })));
  expect([outcomes.values.length, outcomes.codes]).toEqual([20, ['rate_limited', 'rate_limited']]);
});
