import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { and, eq } from 'drizzle-orm';
import Stripe from 'stripe';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { paymentConfigs, paymentModes } from '@/db/schema/payment-configs';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getProviderSettings, providerConfigView } from '@/lib/payments/config/admin-config';
import { findPaymentConfig, unreadableSecretsText } from '@/lib/payments/config/config';
import { configWarnings } from '@/lib/payments/config/fields';
import { storePrivateKey, updateProviderConfig } from '@/lib/payments/config/update-config';
import { getOfferState, listOfferedProviders, openProviderInAllModes } from '@/lib/payments/providers/open-provider';
import { testConnection } from '@/lib/payments/providers/test-connection';
import { handleWebhook } from '@/lib/payments/webhooks/webhook-route';
import { makeUser } from '@/tests/factories/make-user';

const mask = '********';
let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('Admin');
});
beforeEach(async () => {
  await db().delete(paymentConfigs);
  await db().delete(paymentModes);
});

const save = (provider: PaymentProviderName, body: Record<string, unknown>, mode?: string) =>
  updateProviderConfig(admin, provider, body, mode);
const view = async (provider: PaymentProviderName, mode?: ProviderMode) =>
  providerConfigView(await getProviderSettings(provider), mode);
/** As after a restart without the key that sealed them. */
const lose = (provider: PaymentProviderName, mode: ProviderMode) =>
  db()
    .update(paymentConfigs)
    .set({ secrets: { secret_key: 'v1.gone.AAAA.AAAA.AAAA', webhook_secret: 'v1.gone.AAAA.AAAA.AAAA' } })
    .where(and(eq(paymentConfigs.provider, provider), eq(paymentConfigs.mode, mode)));
const audits = () =>
  db().select().from(auditLogs).where(eq(auditLogs.action, 'payments.configured')).orderBy(auditLogs.id);

const stripeKeys = {
  publishable_key: 'pk_test_openly_shown',
  secret_key: 'sk_test_never_shown',
  webhook_secret: 'whsec_never_shown',
};

describe('a saved configuration', () => {
  it('is encrypted at rest and never returned', async () => {
    const { settings, mode } = await save('stripe', stripeKeys);
    const expected = { mode: 'test', publishable_key: 'pk_test_openly_shown', has_secret: true, has_webhook: true };
    expect(providerConfigView(settings, mode)).toEqual(expected);
    expect(await view('stripe')).toEqual(expected);
    const rows = JSON.stringify([await db().select().from(paymentConfigs), await audits()]);
    expect(rows).not.toContain('never_shown');
    expect(rows).toContain('v1.k1.');
    expect((await audits()).at(-1)?.details).toBe(
      'stripe set to test mode; changed: publishable_key, secret_key, webhook_secret.',
    );
    expect((await findPaymentConfig('stripe', 'test'))?.secrets).toEqual({
      secret_key: stripeKeys.secret_key,
      webhook_secret: stripeKeys.webhook_secret,
    });
  });

  it('keeps fields that are absent or sent as the mask', async () => {
    await save('stripe', stripeKeys);
    await save('stripe', { secret_key: mask, webhook_secret: 'whsec_second', publishable_key: mask });
    expect(await findPaymentConfig('stripe', 'test')).toMatchObject({
      fields: { publishable_key: 'pk_test_openly_shown' },
      secrets: { secret_key: 'sk_test_never_shown', webhook_secret: 'whsec_second' },
    });
    expect((await audits()).at(-1)?.details).toBe('stripe, values of test mode; changed: webhook_secret.');
  });

  it('writes nothing without a change', async () => {
    await save('stripe', stripeKeys);
    const before = await audits();
    await save('stripe', { mode: 'test', publishable_key: stripeKeys.publishable_key, secret_key: mask });
    await save('stripe', {});
    expect(await audits()).toEqual(before);
  });

  it('deletes a secret that is sent empty', async () => {
    await save('stripe', stripeKeys);
    await save('stripe', { webhook_secret: '' });
    expect(await view('stripe')).toMatchObject({ has_secret: true, has_webhook: false });
    expect((await audits()).at(-1)?.details).toBe('stripe, values of test mode; removed: webhook_secret.');
  });

  it('is trimmed, and rejected when invalid or of another provider', async () => {
    await save('paypal', { client_id: '  client-id-1234 \n', client_secret: ' s3cret ' });
    expect(await findPaymentConfig('paypal', 'sandbox')).toMatchObject({
      fields: { client_id: 'client-id-1234' },
      secrets: { client_secret: 's3cret' },
    });
    for (const body of [{ secret_key: 'sk_test_x' }, { client_id: 7 }, { mode: 'test' }, { has_secret: true }]) {
      await expect(save('paypal', body)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    await expect(save('paypal', { secret_key: 'x' })).rejects.toThrow('Unknown field: secret_key.');
    await expect(save('stripe', { client_id: 'x'.repeat(20) }, 'test')).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('survives two admins who save different fields concurrently', async () => {
    await save('wechat', { mchid: '1900000001' });
    const changes = { appid: 'wx1234567890', serial_no: 'ABCDEF0123456789', api_v3_key: 'a'.repeat(32) };
    await Promise.all(Object.entries(changes).map(([name, value]) => save('wechat', { [name]: value })));
    expect(await view('wechat')).toMatchObject({
      mchid: '1900000001',
      appid: 'wx1234567890',
      serial_no: 'ABCDEF0123456789',
      api_v3_key: mask,
      has_api_v3_key: true,
      has_private_key: false,
    });
  });
});

describe('the two modes', () => {
  it('have separate values', async () => {
    await save('stripe', stripeKeys);
    await save('stripe', { mode: 'live', publishable_key: 'pk_live_1' });
    expect(await view('stripe')).toEqual({
      mode: 'live',
      publishable_key: 'pk_live_1',
      has_secret: false,
      has_webhook: false,
    });
    await save('stripe', { mode: 'test' });
    expect(await view('stripe')).toMatchObject({
      mode: 'test',
      publishable_key: 'pk_test_openly_shown',
      has_secret: true,
    });
    expect(await view('stripe', 'live')).toMatchObject({ publishable_key: 'pk_live_1' });
  });

  it('can be prepared without being activated', async () => {
    await save('paypal', { client_id: 'prepared-id' }, 'live');
    expect((await getProviderSettings('paypal')).activeMode).toBeNull();
    await save('stripe', stripeKeys);
    await save('stripe', { secret_key: 'sk_live_1' }, 'live');
    expect((await getProviderSettings('stripe')).activeMode).toBe('test');
    expect((await findPaymentConfig('stripe', 'live'))?.secrets).toEqual({ secret_key: 'sk_live_1' });
    await expect(save('stripe', {}, 'sandbox')).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('secrets with a lost key', () => {
  it('keep the screen usable to replace them', async () => {
    await save('stripe', stripeKeys);
    expect(await getOfferState(await getProviderSettings('stripe'))).toBe('offered');
    await db()
      .update(paymentConfigs)
      .set({ secrets: { secret_key: 'v1.gone.AAAA.AAAA.AAAA', webhook_secret: 'v1.gone.AAAA.AAAA.AAAA' } });
    expect(await getOfferState(await getProviderSettings('stripe'))).toBe('unreadable');
    expect(await view('stripe')).toMatchObject({ has_secret: true });
    expect(await testConnection('stripe', 'test')).toMatchObject({ ok: false, message: unreadableSecretsText });
    await save('stripe', stripeKeys);
    expect(await getOfferState(await getProviderSettings('stripe'))).toBe('offered');
  });

  it('disable that provider, and no other, for buyers', async () => {
    await save('stripe', stripeKeys);
    await save('paypal', { client_id: 'client-of-tests', client_secret: 'never_shown', webhook_id: 'WH-1' });
    expect((await listOfferedProviders()).map(({ name }) => name).sort()).toEqual(['paypal', 'stripe']);
    await lose('stripe', 'test');
    expect((await listOfferedProviders()).map(({ name }) => name)).toEqual(['paypal']);
  });

  it("of one mode keep the other mode's notifications readable, and their own are retried", async () => {
    await save('stripe', stripeKeys);
    await save('stripe', { secret_key: 'sk_live_1', webhook_secret: 'whsec_live_1' }, 'live');
    await lose('stripe', 'live');
    const told = (secret: string) => {
      const payload = JSON.stringify({
        id: `evt_${newId()}`,
        object: 'event',
        livemode: false,
        type: 'customer.created',
        data: { object: {} },
      });
      const signature = new Stripe('sk_test_1').webhooks.generateTestHeaderString({ payload, secret });
      const headers = new Headers({ 'stripe-signature': signature });
      return handleWebhook('stripe', { raw: Buffer.from(payload), headers, ip: '', requestId: newId() });
    };
    await told(stripeKeys.webhook_secret);
    await expect(told('whsec_live_1')).rejects.toMatchObject({ code: 'not_configured' });
  });
});

describe("a mode with the other mode's keys", () => {
  it("does not prevent the other mode's notifications from being read", async () => {
    await save('stripe', stripeKeys);
    await save('stripe', { secret_key: 'sk_test_in_the_wrong_place', webhook_secret: 'whsec_live' }, 'live');
    expect((await openProviderInAllModes('stripe')).map(({ mode }) => mode)).toEqual(['test']);
  });
});

describe('warnings', () => {
  it('are returned and do not prevent saving', async () => {
    const { warnings } = await save('stripe', { publishable_key: 'pk_wrong', webhook_secret: 'secret' });
    expect(warnings).toEqual({
      publishable_key: 'Publishable key should start with pk_live_ or pk_test_.',
      webhook_secret: 'Webhook secret should start with whsec_.',
    });
    expect(await view('stripe')).toMatchObject({ publishable_key: 'pk_wrong', has_webhook: true });
  });

  it.each([
    ['stripe', 'secret_key', 'rk_test_1', 'Secret key should start with sk_live_ or sk_test_.'],
    ['stripe', 'secret_key', 'sk_live_1', 'This is a live mode key, but the mode is test.'],
    ['stripe', 'secret_key', 'sk_test_1', undefined],
    ['paypal', 'client_id', '123456789', 'Client ID looks unusual.'],
    ['paypal', 'client_id', '1234567890', undefined],
    ['paypal', 'webhook_id', '12345', 'Webhook ID looks unusual.'],
    ['wechat', 'mchid', '19000A', 'Merchant ID should be numeric.'],
    ['wechat', 'mchid', '1900000', 'Merchant ID should have 8 to 20 digits.'],
    ['wechat', 'mchid', '1'.repeat(20), undefined],
    ['wechat', 'appid', 'wx$12345', 'AppID looks unusual.'],
    ['wechat', 'appid', 'wx_-12', undefined],
    ['wechat', 'api_v3_key', 'a'.repeat(31), 'API key must be exactly 32 characters.'],
    ['wechat', 'api_v3_key', '-'.repeat(32), 'API key should contain letters and digits only.'],
    ['wechat', 'api_v3_key', mask, undefined],
    ['wechat', 'serial_no', 'xyz', 'Certificate serial should be at least 12 hexadecimal characters.'],
    ['wechat', 'serial_no', '', undefined],
  ] as const)('%s %s "%s": %s', (provider, name, value, warning) => {
    const mode = provider === 'paypal' ? 'sandbox' : 'test';
    expect(configWarnings(provider, mode, { [name]: value })[name]).toBe(warning);
  });
});

describe('the WeChat Pay private key', () => {
  const pemOf = (bits: number) =>
    generateKeyPairSync('rsa', {
      modulusLength: bits,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
  const { privateKey, publicKey } = pemOf(2048);
  const upload = (content: string, name = 'apiclient_key.pem', mode?: string) =>
    storePrivateKey(admin, Readable.from([Buffer.from(content)]), name, mode);

  it('is stored encrypted, and shown only as present', async () => {
    await upload(privateKey);
    expect(await view('wechat')).toMatchObject({ mode: 'test', has_private_key: true });
    const [row] = await db()
      .select()
      .from(paymentConfigs)
      .where(and(eq(paymentConfigs.provider, 'wechat'), eq(paymentConfigs.mode, 'test')));
    expect(row?.secrets.private_key).toMatch(/^v1\./);
    expect((await findPaymentConfig('wechat', 'test'))?.secrets.private_key).toBe(privateKey.trim());
    expect(JSON.stringify(await audits())).not.toContain('PRIVATE KEY');
  });

  it('belongs to the mode it was uploaded for', async () => {
    await save('wechat', { mode: 'test', mchid: '1900000001' });
    await upload(privateKey, 'KEY.PEM', 'live');
    expect(await view('wechat')).toMatchObject({ mode: 'test', has_private_key: false });
    expect(await view('wechat', 'live')).toMatchObject({ has_private_key: true });
  });

  it.each([
    ['a public key', publicKey, 'key.pem', 'invalid_input'],
    ['other text', 'hello', 'key.pem', 'invalid_input'],
    ['nothing', '', 'key.pem', 'invalid_input'],
    ['a short key', pemOf(1024).privateKey, 'key.pem', 'invalid_input'],
    ['another extension', privateKey, 'key.txt', 'unsupported_type'],
    ['an excessive size', `${privateKey}${' '.repeat(30_000)}`, 'key.pem', 'too_large'],
    [
      'an elliptic curve key',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'key.pem',
      'invalid_input',
    ],
    [
      'an encrypted key',
      generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
        .toString(),
      'key.pem',
      'invalid_input',
    ],
  ])('rejects %s', async (_, content, name, code) => {
    await expect(upload(content, name)).rejects.toMatchObject({ code });
    expect(await view('wechat')).toMatchObject({ has_private_key: false });
  });
});
