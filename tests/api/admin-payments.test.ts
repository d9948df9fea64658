import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { makeAccount } from '@/tests/factories/make-account';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeTopup } from '@/tests/factories/make-topup';
import { appUrl, openClient } from '@/tests/setup/http-client';

let buyer = openClient();
let admin = openClient();
let clerk = openClient();

beforeAll(async () => {
  [buyer, admin, clerk] = [openClient(), openClient(), openClient()];
  await buyer.signIn('user', (await makeAccount()).email);
  await admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
  await clerk.signIn('admin', (await makeStaff('ManageWallets')).email);
});

const config = (provider: string) => `/api/admin/payments/${provider}/config`;
/** The app under test uses its test modes meanwhile, so only values of the live mode are written here. */
const live = (provider: string) => `${config(provider)}?mode=live`;
const put = (path: string, body: unknown, client = admin) => client.request(path, { method: 'PUT', body });

async function upload(content: string, name: string, client = admin) {
  const form = new FormData();
  form.append('private_key', new File([content], name));
  const response = await fetch(`${appUrl}/api/admin/payments/wechat/private-key?mode=live`, {
    method: 'POST',
    headers: { cookie: client.cookie(), origin: new URL(appUrl).origin },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}

describe('/api/admin/payments/{provider}/config', () => {
  it.each([
    ['stripe', 'test', ['has_secret', 'has_webhook', 'mode', 'publishable_key']],
    ['paypal', 'sandbox', ['client_id', 'has_secret', 'has_webhook', 'mode', 'webhook_id']],
    [
      'wechat',
      'test',
      [
        'api_v3_key',
        'appid',
        'has_api_v3_key',
        'has_private_key',
        'mchid',
        'mode',
        'public_key',
        'public_key_id',
        'serial_no',
      ],
    ],
  ])('returns the fields of %s and the active mode', async (provider, mode, fields) => {
    const { status, body } = await admin.get(config(provider));
    expect({ status, mode: body }).toMatchObject({ status: 200, mode: { mode } });
    expect(Object.keys(Object(body)).sort()).toEqual(fields);
    expect((await admin.get(`${config(provider)}?mode=unheard`)).status).toBe(400);
  });

  it('saves changed fields, keeps masked ones, returns warnings, and never a secret', async () => {
    const secret = `sk_live_${newId()}`;
    const saved = await put(live('stripe'), { publishable_key: 'pk_wrong', secret_key: secret });
    expect(saved).toMatchObject({
      status: 200,
      body: {
        mode: 'live',
        publishable_key: 'pk_wrong',
        has_secret: true,
        warnings: { publishable_key: 'Publishable key should start with pk_live_ or pk_test_.' },
      },
    });
    await put(live('stripe'), { publishable_key: 'pk_live_right', secret_key: '********' });
    const after = await admin.get(live('stripe'));
    expect(after).toMatchObject({ body: { publishable_key: 'pk_live_right', has_secret: true } });
    expect((await admin.get(config('stripe'))).body).toMatchObject({ mode: 'test' });
    const audit = await admin.get('/api/audit-logs?action=payments.configured&limit=5');
    expect(JSON.stringify([saved.body, after.body, audit.body])).not.toContain(secret);
    expect(JSON.stringify(audit.body)).toContain('secret_key');
    await put(live('stripe'), { publishable_key: '', secret_key: '' });
    expect((await admin.get(live('stripe'))).body).toMatchObject({ publishable_key: '', has_secret: false });
  });

  it('refuses live mode while wallets contain unconfirmed test credits', async () => {
    const owner = await makeAccount();
    const id = await makeTopup(owner, { provider: 'wechat', providerReference: `topup-${owner.userId}` });
    await settleTopup(systemActor('Tests', 'script'), id, {
      about: 'payment',
      outcome: 'paid',
      providerReference: `topup-${owner.userId}`,
      paymentReference: `payment-${id}`,
      topupId: id,
      mode: 'test',
      amountMinor: 10_000,
      currency: 'USD',
    });
    const refused = await put(`${config('wechat')}?reverseTestCreditsCents=1`, { mode: 'live' });
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining('reverseTestCreditsCents') } });
    expect((await admin.get(config('wechat'))).body).toMatchObject({ mode: 'test' });
  });

  it('masks the WeChat Pay private key', async () => {
    await put(live('wechat'), { api_v3_key: 'a'.repeat(32) });
    expect((await admin.get(live('wechat'))).body).toMatchObject({ has_api_v3_key: true, api_v3_key: '********' });
    await put(live('wechat'), { api_v3_key: '' });
    expect((await admin.get(live('wechat'))).body).toMatchObject({ has_api_v3_key: false, api_v3_key: '' });
  });

  it('rejects unknown fields, modes and providers, and non-text values', async () => {
    expect(await put(live('paypal'), { secret_key: 'x' })).toMatchObject({
      status: 400,
      body: { error: 'Unknown field: secret_key.' },
    });
    for (const body of [{ mode: 'test' }, { client_id: 5 }, { client_id: null }, { client_id: 'x'.repeat(301) }]) {
      expect((await put(live('paypal'), body)).status).toBe(400);
    }
    expect((await put(config('paddle'), {})).status).toBe(400);
  });
});

describe('/api/admin/payments/wechat/private-key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

  it('accepts only a .pem file with a private key', async () => {
    expect(await upload(publicKey, 'key.pem')).toMatchObject({
      status: 400,
      body: { fields: { private_key: 'The file contains no private key in PEM format.' } },
    });
    expect((await upload(privateKey, 'key.txt')).status).toBe(415);
    expect((await upload('x'.repeat(200_000), 'key.pem')).status).toBe(413);
    expect(await upload(privateKey, 'key.pem')).toEqual({ status: 201, body: { ok: true, has_private_key: true } });
    expect((await admin.get(live('wechat'))).body).toMatchObject({ has_private_key: true });
  });

  it('requires a file', async () => {
    expect((await admin.post('/api/admin/payments/wechat/private-key', {})).status).toBe(400);
  });
});

it('returns 403 without the permission', async () => {
  const calls = [
    ...['stripe', 'paypal', 'wechat'].flatMap((name) => [
      ['GET', config(name)],
      ['PUT', config(name)],
    ]),
    ['POST', '/api/admin/payments/wechat/private-key'],
  ];
  for (const [method = '', path = ''] of calls) {
    const body = method === 'GET' ? undefined : {};
    expect((await openClient().request(path, { method, body })).status, path).toBe(401);
    expect((await buyer.request(path, { method, body })).status, path).toBe(403);
    expect((await clerk.request(path, { method, body })).status, path).toBe(403);
  }
});
