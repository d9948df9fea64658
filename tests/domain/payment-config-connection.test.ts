import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { storePrivateKey, updateProviderConfig } from '@/lib/payments/config/update-config';
import { testConnection } from '@/lib/payments/providers/test-connection';
import { makeUser } from '@/tests/factories/make-user';
import { withProviders } from '@/tests/setup/payment-providers';

const sandbox = withProviders();
const modes: Record<PaymentProviderName, ProviderMode> = { stripe: 'test', paypal: 'sandbox', wechat: 'test' };
const names = ['stripe', 'paypal', 'wechat'] as const;
const test = (provider: PaymentProviderName) => testConnection(provider, modes[provider]);

let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('Admin');
});
beforeEach(() => sandbox.reconfigure());

const save = (provider: PaymentProviderName, body: Record<string, unknown>) =>
  updateProviderConfig(admin, provider, body, modes[provider]);

describe('testing a connection', () => {
  it.each(names)('succeeds at %s with the stored configuration', async (provider) => {
    expect(await test(provider)).toEqual({ ok: true, message: expect.stringContaining('accepts') });
  });

  it("verifies WeChat Pay's signature by its platform certificate too", async () => {
    await sandbox.control('wechat', { signedBy: 'certificate' });
    expect(await test('wechat')).toMatchObject({ ok: true });
  });

  it.each([
    ['stripe', { secret_key: 'sk_live_wrong' }, 'live mode key'],
    ['stripe', { secret_key: '' }, 'No secret key'],
    ['stripe', { webhook_secret: '' }, 'webhook secret is still missing'],
    ['paypal', { client_secret: 'wrong' }, 'does not recognize'],
    ['paypal', { client_id: '' }, 'is not saved'],
    ['paypal', { webhook_id: '' }, 'webhook ID is still missing'],
    ['wechat', { mchid: '1900009999' }, 'WeChat Pay'],
    ['wechat', { serial_no: 'ABCDEF0123456789' }, 'WeChat Pay'],
    ['wechat', { serial_no: '', appid: '' }, 'AppID, certificate serial'],
    ['wechat', { api_v3_key: 'short' }, 'exactly 32'],
    ['wechat', { public_key: '', public_key_id: '' }, 'signature cannot be verified'],
  ] as const)('reports the error at %s for %o', async (provider, body, words) => {
    await save(provider, body);
    const result = await test(provider);
    expect(result).toEqual({ ok: false, message: expect.stringContaining(words) });
    expect(result.message).not.toMatch(/sk_live_wrong|PRIVATE KEY/);
  });

  it.each([
    ['stripe', '/v1/events', 'cannot read Events'],
    ['stripe', '/v1/balance_transactions', 'cannot read Balance transactions'],
    ['stripe', '/v1/payouts', 'cannot read Payouts'],
    ['stripe', '/v1/disputes', 'cannot read Disputes'],
    ['paypal', '/v1/reporting', 'cannot use Transaction search'],
    ['paypal', '/v1/customer', 'cannot use Disputes'],
  ] as const)('reports that %s denies %s', async (provider, forbidden, words) => {
    await sandbox.control(provider, { forbidden });
    expect(await test(provider)).toEqual({ ok: false, message: expect.stringContaining(words) });
    await sandbox.control(provider, { forbidden: null });
    expect(await test(provider)).toMatchObject({ ok: true });
  });

  it("rejects another merchant's private key", async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    await storePrivateKey(admin, Readable.from([privateKey]), 'other.pem', 'test');
    expect(await test('wechat')).toEqual({ ok: false, message: expect.stringContaining('signature') });
  });

  it.each(names)('returns a result when %s is down, broken or sends garbage', async (provider) => {
    for (const api of ['down', 'error', 'garbage']) {
      await sandbox.control(provider, { api });
      const result = await test(provider);
      expect(result.ok, api).toBe(false);
      expect(result.message, api).not.toBe('');
    }
  });

  it('reports a mode without configuration', async () => {
    expect(await testConnection('paypal', 'live')).toEqual({
      ok: false,
      message: 'Nothing is saved for live mode yet.',
    });
  });
});
