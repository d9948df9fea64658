import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import { rotatingThird } from '@/scripts/testing/tier';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeUser } from '@/tests/factories/make-user';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';

const own = new URL(appUrl);

/** Foreign URLs in the notations that browsers accept. */
const foreign = [
  'https://evil.example/user',
  'http://evil.example',
  '//evil.example/user',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%5cevil.example',
  '/%2f%2fevil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  '\u0000//evil.example',
  'https:evil.example',
  'https:/evil.example',
  `${own.origin}@evil.example/user`,
  `${own.origin}.evil.example/user`,
  `//${own.host}@evil.example`,
  '/user/..//evil.example',
  '/user/../../evil.example',
  '/user//evil.example/..',
  '/user?next=//evil.example',
  'javascript:alert(1)//user',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil。example',
  '/user\r\nLocation: https://evil.example',
  '/user%0d%0aLocation:%20https://evil.example',
];

/** With indexes, by which the values take turns at the places that share a parser. */
const numbered = foreign.map((url, index) => ({ url, index }));

/** Where a browser goes from `from`. */
const leadsTo = (location: string, from = `${appUrl}/user/login`) => new URL(location, from);

function expectOurs(location: string | null, what: string): void {
  if (location === null) return;
  expect(/[\r\n]/.test(location), what).toBe(false);
  const { origin, protocol } = leadsTo(location);
  expect([protocol, origin], `${what} → ${location}`).toEqual([own.protocol, own.origin]);
}

let buyer = openClient();
beforeAll(async () => {
  buyer = await openSession((await makeUser()).userId);
});

describe('?next= of the sign-in pages', () => {
  const pages = ['/user/login', '/seller/login', '/admin/login', '/register', '/login', '/'];
  // All pages parse it with one function.
  it.each(numbered)('does not redirect to $url, signed in or not', async ({ url: next, index }) => {
    for (const page of rotatingThird(pages, index)) {
      const path = `${page}?next=${encodeURIComponent(next)}&callbackUrl=${encodeURIComponent(next)}`;
      for (const client of [openClient(), buyer]) {
        const { headers, body } = await client.get(path);
        expectOurs(headers.get('location'), path);
        // The page contains the form's redirect target; it may also contain the URL's own text.
        const destination = /\\?"destination\\?":\\?"(.*?)\\?"/.exec(String(body))?.[1];
        if (destination !== undefined) expectOurs(destination, path);
      }
    }
  });
});

describe('callbackUrl of next-auth', () => {
  const csrf = z.object({ csrfToken: z.string() });
  const answered = z.object({ url: z.string() });

  it.each(numbered)(
    'does not redirect to $url, from form, JSON, query or cookie',
    async ({ url: callbackUrl, index }) => {
      const { email } = await makeAccount();
      const tokenAnswer = await openClient().get('/api/auth/csrf');
      const { csrfToken } = csrf.parse(tokenAnswer.body);
      const cookie = tokenAnswer.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
      const remembered = `${cookie}; next-auth.callback-url=${encodeURIComponent(callbackUrl)}`;
      const calls: [string, Record<string, unknown>, string][] = [
        [
          '/api/auth/callback/credentials',
          { csrfToken, email, password: testPassword, callbackUrl, json: 'true' },
          cookie,
        ],
        ['/api/auth/callback/credentials', { csrfToken, email, password: testPassword, callbackUrl }, cookie],
        ['/api/auth/callback/credentials', { csrfToken, email, password: testPassword }, remembered],
        [
          `/api/auth/callback/credentials?callbackUrl=${encodeURIComponent(callbackUrl)}`,
          { csrfToken, email, password: 'wrong' },
          cookie,
        ],
        ['/api/auth/signout', { csrfToken, callbackUrl, json: 'true' }, cookie],
        ['/api/auth/signout', { csrfToken }, remembered],
      ];
      for (const [path, body, sent] of rotatingThird(calls, index)) {
        const answer = await openClient().post(path, body, { cookie: sent });
        expectOurs(answer.headers.get('location'), path);
        const parsed = answered.safeParse(answer.body);
        if (parsed.success) expectOurs(parsed.data.url, path);
      }
      for (const page of rotatingThird(['signin', 'signout', 'error'], index)) {
        const path = `/api/auth/${page}?callbackUrl=${encodeURIComponent(callbackUrl)}&error=${encodeURIComponent(callbackUrl)}`;
        const answer = await openClient().get(path, { cookie: remembered });
        expectOurs(answer.headers.get('location'), path);
      }
    },
  );
});

describe('returnUrl and cancelUrl of top-ups', () => {
  it.each(numbered)('are rejected as $url, unless they lead to a page of the app', async ({ url, index }) => {
    const account = await makeUser();
    const client = await openSession(account.userId);
    const calls = [
      ['/api/user/payments/stripe/checkout', 'returnUrl'],
      ['/api/wallet/topup/paypal', 'returnUrl'],
      ['/api/wallet/topup/paypal', 'cancelUrl'],
    ] as const;
    for (const [address, field] of rotatingThird(calls, index)) {
      const { status, body } = await client.post(address, { amount: 25, [field]: url });
      expect([200, 201, 400], `${address} ${field}: ${JSON.stringify(body)}`).toContain(status);
      if (status < 300) expectOurs(url, `${address} ${field}`);
    }
    // These are not used: Stripe gets one fixed page, and WeChat Pay's buyer never leaves the app.
    await client.post('/api/user/payments/stripe/checkout', { amount: 25, cancelUrl: url });
    await client.post('/api/wallet/topup/wechat', { amount: 25, returnUrl: url, cancelUrl: url });
    const rows = await db().select().from(topups).where(eq(topups.accountId, account.userId));
    for (const { checkoutUrl } of rows) expect(checkoutUrl ?? '').not.toContain('evil.example');
  });
});

describe('a request path', () => {
  /** Unchanged: fetch would normalize it first. */
  async function ask(path: string, headers: Record<string, string> = {}) {
    const request = openRequest({
      host: own.hostname,
      port: own.port,
      path,
      headers: { host: own.host, ...headers },
    }).end();
    const [response] = await once(request, 'response');
    return {
      status: Number(response.statusCode),
      location: response.headers.location ?? null,
      body: await readText(response),
    };
  }

  it.each([
    '//evil.example',
    '//evil.example/',
    '//evil.example/user',
    '///evil.example/dashboard/',
    '/\\evil.example/user',
    '/%5cevil.example/',
    '/user//evil.example/',
    '/user/..//evil.example/',
    '/user/%2e%2e//evil.example',
    '/dashboard/tools//evil.example/',
    '/dashboard/tools/%5cevil.example',
    '/dashboard/seo/@evil.example',
    '/dashboard/users//evil.example',
    '/user/orders/%0d%0aLocation:%20https:%2f%2fevil.example',
    '/user?x=%0d%0aSet-Cookie:%20a=b',
  ])('%j redirects to no other site', async (path) => {
    const { status, location } = await ask(path);
    expect(status).toBeLessThan(500);
    expectOurs(location, path);
  });

  it.each<Record<string, string>>([
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { forwarded: 'host=evil.example;proto=https' },
    { 'x-original-url': 'https://evil.example/', 'x-rewrite-url': 'https://evil.example/' },
    { 'x-middleware-rewrite': 'https://evil.example/', 'x-nextjs-rewrite': 'https://evil.example/' },
    { 'x-invoke-path': '//evil.example', 'x-matched-path': '//evil.example' },
    { origin: 'https://evil.example', referer: 'https://evil.example/user' },
  ])('redirects to no other site for the headers %j', async (headers) => {
    for (const path of [
      '/',
      '/login',
      '/user/orders',
      '/dashboard',
      '/dashboard/users',
      '/user/',
      '/api/auth/signin',
    ]) {
      const { status, location, body } = await ask(path, headers);
      expect(status, path).toBeLessThan(500);
      expect(location ?? '', path).not.toContain('evil.example');
      expect(body.includes('evil.example'), path).toBe(false);
    }
  });
});
