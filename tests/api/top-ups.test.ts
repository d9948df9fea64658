import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import { newId } from '@/lib/ids';
import { limits } from '@/lib/platform/rate-limits/limits';
import { makeAccount } from '@/tests/factories/make-account';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { notifyAs, payAt } from '@/tests/setup/provider-notifications';

let buyer = openClient();
beforeAll(async () => {
  buyer = openClient();
  await buyer.signIn('user', (await makeAccount()).email);
});

const iPhone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15' };
const weChat = { 'user-agent': `${iPhone['user-agent']} Mobile/15E148 MicroMessenger/8.0.50 NetType/WIFI` };
const endpoints: [path: string, field: string, headers: Record<string, string>, page: RegExp][] = [
  ['/api/user/payments/stripe/checkout', 'url', {}, /\/c\/pay\/cs_test_\w+$/],
  ['/api/wallet/topup/paypal', 'approvalUrl', {}, /\/checkoutnow\?token=\w+$/],
  ['/api/wallet/topup/wechat', 'h5_url', {}, /\/user\/wallet\/wechat\/[0-9a-z]{26}$/],
  ['/api/wallet/topup/wechat', 'h5_url', iPhone, /[?&]redirect_url=http/],
  ['/api/wallet/topup/wechat', 'h5_url', weChat, /\/user\/wallet\/wechat\/[0-9a-z]{26}$/],
];

describe.each(endpoints)('POST %s', (path, field, headers, page) => {
  const input = { amount: 25, currency: 'USD', returnUrl: '/user/wallet', cancelUrl: '/user/wallet' };

  it(`returns ${field} only, with the URL of the provider's page`, async () => {
    const { status, body } = await buyer.post(path, input, headers);
    expect(status).toBe(200);
    expect(body).toEqual({ [field]: expect.stringMatching(page) });
  });

  it('accepts the amount as text too, rounded to cents', async () => {
    expect((await buyer.post(path, { amount: '1.004', returnUrl: '/user/wallet' }, headers)).status).toBe(200);
  });

  it.each([0.99, 0, -5, 'a lot', '', null, 1e21])('rejects %j with the message for amounts', async (amount) => {
    const { status, body } = await buyer.post(path, { ...input, amount }, headers);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'Please enter at least $1.00', fields: { amount: expect.any(String) } });
  });

  it.each<[string, object]>([
    ['another currency', { currency: 'EUR' }],
    ['a return to another site', { returnUrl: 'https://evil.example.com/user/wallet' }],
    ['a return URL that resembles a path', { returnUrl: '//evil.example.com' }],
  ])('rejects %s', async (_, changes) => {
    expect((await buyer.post(path, { ...input, ...changes }, headers)).status).toBe(400);
  });

  it('returns the first response for a repeated Idempotency-Key, and 409 for another request', async () => {
    const keyed = { ...headers, 'Idempotency-Key': newId() };
    const first = await buyer.post(path, input, keyed);
    expect(await buyer.post(path, input, keyed)).toMatchObject({ status: 200, body: first.body });
    expect(await buyer.post(path, { ...input, amount: 26 }, keyed)).toMatchObject({
      status: 409,
      body: { fields: { idempotencyKey: expect.any(String) } },
    });
  });

  it('returns 401 without a session, and rejects cross-site requests', async () => {
    expect((await openClient().post(path, input, headers)).status).toBe(401);
    const foreign = { ...headers, origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' };
    expect((await buyer.post(path, input, foreign)).status).toBe(403);
  });
});

it("limits a user's top-ups over all providers, with Retry-After", async () => {
  const limited = openClient();
  await limited.signIn('user', (await makeAccount()).email);
  const paths = [...new Set(endpoints.map(([path]) => path))];
  const input = { amount: 25, returnUrl: '/user/wallet' };
  const started = await Promise.all(
    Array.from({ length: limits.topup.account.max }, (_, n) => limited.post(paths[n % paths.length] ?? '', input)),
  );
  expect(new Set(started.map(({ status }) => status))).toEqual(new Set([200]));
  for (const path of paths) {
    const refused = await limited.post(path, input);
    expect(refused, path).toMatchObject({ status: 429, body: { error: expect.stringContaining('Too many attempts') } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

describe('the wallet', () => {
  const balance = { balance_cents: 0, balance_dollars: 0, balance: 0, balanceUsd: 0, currency: 'USD' };

  it.each(['/api/wallet', '/api/wallet?summary=1', '/api/wallet/balance'])(
    'returns its balance at %s',
    async (path) => {
      expect((await buyer.get(path)).body).toEqual(balance);
    },
  );

  it('lists the pending top-ups, newest first, up to the limit', async () => {
    const answer = await buyer.get('/api/wallet/transactions?limit=2');
    const rows = z.array(z.looseObject({ status: z.string(), created_at: z.string() })).parse(answer.body);
    expect(rows).toHaveLength(2);
    expect(Number(answer.headers.get('x-total-count'))).toBeGreaterThan(2);
    expect(rows).toMatchObject([{ status: 'Pending', type: 'credit', currency: 'USD', meta: expect.anything() }, {}]);
    const times = rows.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
  });
});

describe('webhooks called by their provider', () => {
  const answers = { stripe: 200, paypal: 200, wechat: 204 } as const;

  it.each([
    ['stripe', '/api/user/payments/stripe/checkout'],
    ['paypal', '/api/wallet/topup/paypal'],
    ['wechat', '/api/wallet/topup/wechat'],
  ] as const)('acknowledge a repeated notification of %s and credit its payment once', async (provider, path) => {
    const { email, userId } = await makeAccount();
    const payer = openClient();
    await payer.signIn('user', email);
    expect((await payer.post(path, { amount: 25, returnUrl: '/user/wallet' })).status).toBe(200);
    const [opened] = await db().select().from(topups).where(eq(topups.accountId, userId));
    const events = await payAt(provider, opened?.providerReference ?? '');
    expect(events).not.toEqual([]);
    for (const event of events) {
      const repeats = await Promise.all([1, 2, 3].map(() => notifyAs(provider, event)));
      expect(repeats.map(({ status }) => status)).toEqual([1, 2, 3].map(() => answers[provider]));
    }
    expect((await payer.get('/api/wallet/balance')).body).toMatchObject({ balance_cents: 2_500 });
  });
});

describe('webhooks called by others', () => {
  const send = (provider: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${appUrl}/api/payments/${provider}/webhook`, { method: 'POST', body, headers });

  it.each(['stripe', 'paypal', 'wechat'])('reject an unsigned request to %s', async (provider) => {
    for (const body of ['', '{}', 'no json', '\u0000']) expect((await send(provider, body)).status).toBe(400);
  });

  it('reject a body larger than any notification', async () => {
    expect((await send('stripe', 'x'.repeat(2 * 1024 * 1024))).status).toBe(413);
  });

  it('reject a signature with another secret', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'checkout.session.completed' });
    const at = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', 'whsec_other').update(`${at}.${body}`).digest('hex');
    expect((await send('stripe', body, { 'stripe-signature': `t=${at},v1=${v1}` })).status).toBe(400);
  });

  it('return errors to WeChat Pay in its own format', async () => {
    const answer = await send('wechat', '{}');
    expect(await answer.json()).toEqual({ code: 'FAIL', message: expect.any(String) });
  });
});
