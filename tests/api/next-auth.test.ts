import { and, eq, isNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/users';
import { sessionCookieName } from '@/lib/auth/session-token';
import { beginTotp, confirmTotp } from '@/lib/auth/totp';
import { newId } from '@/lib/ids';
import { limits } from '@/lib/platform/rate-limits/limits';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { appCode } from '@/tests/setup/app-code';
import { appUrl, openClient, sessionCookieOf } from '@/tests/setup/http-client';

const csrf = z.object({ csrfToken: z.string() });

/** Does what next-auth's client does: fetches the token, then posts the form with its cookies. */
async function post(action: string, fields: Record<string, string>, cookie = '', headers: Record<string, string> = {}) {
  const tokenAnswer = await fetch(`${appUrl}/api/auth/csrf`);
  const { csrfToken } = csrf.parse(await tokenAnswer.json());
  const jar = tokenAnswer.headers.getSetCookie().map((line) => line.split(';')[0]);
  const response = await fetch(`${appUrl}/api/auth/${action}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      origin: new URL(appUrl).origin,
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `10.9.${byte()}.${byte()}`,
      cookie: [...jar, cookie].filter(Boolean).join('; '),
      ...headers,
    },
    body: new URLSearchParams({ csrfToken, json: 'true', ...fields }),
  });
  const text = await response.text();
  const body: unknown = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body, cookie: sessionCookieOf(response.headers) };
}
const byte = () => Math.floor(Math.random() * 256);
const signIn = (email: string, password = testPassword, more: Record<string, string> = {}) =>
  post('callback/credentials', { email, password, ...more });

const ourOrigin = new URL(appUrl).origin;
/** Ways to name another site. */
const foreign = [
  'https://evil.example/',
  '//evil.example/user',
  '/\\evil.example/user',
  'javascript:alert(1)',
  `${ourOrigin}.evil.example/user`,
  `${ourOrigin}@evil.example/user`,
];

const runningOf = (userId: string) =>
  db()
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt)));

describe("next-auth's sign-in", () => {
  it('opens a session of the app, with its cookie and row', async () => {
    const { email, userId } = await makeAccount();
    const answer = await signIn(email);
    expect(answer).toMatchObject({ status: 200, body: { url: expect.stringMatching(/^http/) } });
    const lines = answer.headers.getSetCookie().filter((line) => line.startsWith(sessionCookieName()));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/HttpOnly/i);
    expect(lines[0]).not.toMatch(/Max-Age|Expires/i);
    expect(await runningOf(userId)).toHaveLength(1);
    expect(await openClient(answer.cookie ?? '').get('/api/user/auth/me')).toMatchObject({
      status: 200,
      body: { email },
    });
  });

  it('applies the same checks with the same messages', async () => {
    const { email } = await makeAccount();
    const pending = (await makeAccount({ status: 'Pending' })).email;
    const refusals = [
      [await signIn(email, 'wrong'), 401, 'Invalid credentials.'],
      [await signIn(`${newId()}@example.com`), 401, 'Invalid credentials.'],
      [await signIn(pending), 403, expect.stringMatching(/verify your email/)],
      [await signIn(email, testPassword, { portal: 'admin' }), 403, 'Not an admin account.'],
      [await signIn(email, testPassword, { portal: 'nowhere' }), 400, expect.any(String)],
    ] as const;
    for (const [answer, status, error] of refusals) {
      expect(answer).toMatchObject({ status, body: { error }, cookie: null });
    }
    expect(refusals[0][0].body).toMatchObject({ url: expect.stringContaining('error=CredentialsSignin') });
  });

  it('counts for the same rate limit', async () => {
    const { email } = await makeAccount();
    const client = openClient();
    const from = { 'x-forwarded-for': client.address };
    const send = (password: string) => post('callback/credentials', { email, password }, '', from);
    const tries = await Promise.all(Array.from({ length: limits.signIn.pair.max }, () => send('wrong')));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([401]));
    const refused = await send(testPassword);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await client.signIn('user', email)).status).toBe(429);
  });

  it('requires the second step', async () => {
    const actor = await makeAccount({ role: 'Seller' });
    const { secret } = await beginTotp(actor, testPassword);
    await confirmTotp(actor, appCode(secret, -1));
    expect(await signIn(actor.email)).toMatchObject({
      status: 401,
      cookie: null,
      body: { fields: { code: expect.any(String) } },
    });
    expect(await signIn(actor.email, testPassword, { code: appCode(secret) })).toMatchObject({ status: 200 });
  });

  it("redirects to the sign-in page with the failure's code, and rejects unknown codes", async () => {
    const failed = (error: string) => openClient().get(`/api/auth/error?error=${encodeURIComponent(error)}`);
    const { status, headers } = await failed('AccessDenied');
    expect([status, headers.get('location')]).toEqual([302, expect.stringContaining('/user/login?error=AccessDenied')]);
    for (const error of ['a\r\nset-cookie: a=b', 'a\nb', 'ключ', 'a'.repeat(5_000), 'a&next=//evil.example']) {
      expect(await failed(error), error).toMatchObject({
        status: 400,
        body: { error: 'error must be an error name.' },
      });
    }
  });

  it('signs in neither without its token nor from another site, nor with an endless body', async () => {
    const { email, userId } = await makeAccount();
    const fields = { email, password: testPassword };
    expect((await post('callback/credentials', { ...fields, csrfToken: 'forged' })).cookie).toBeNull();
    expect(await post('callback/credentials', fields, '', { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      cookie: null,
    });
    expect(await post('callback/credentials', { ...fields, more: 'x'.repeat(20_000) })).toMatchObject({ status: 413 });
    expect(await runningOf(userId)).toEqual([]);
  });

  it.each(foreign)(
    "never redirects to %s by callbackUrl, cookie or the app's next parameter",
    { timeout: 120_000 },
    async (callbackUrl) => {
      const { email } = await makeAccount();
      const remembered = `next-auth.callback-url=${encodeURIComponent(callbackUrl)}`;
      const client = openClient();
      await client.signIn('user', email);
      const answers = [
        await signIn(email, testPassword, { callbackUrl }),
        await post('callback/credentials', { email, password: testPassword }, remembered),
        await signIn(email, testPassword, { next: callbackUrl }),
        await post('signout', { callbackUrl }, client.cookie()),
        await post('signout', {}, remembered),
      ];
      for (const { status, body, headers } of answers) {
        expect([200, 400]).toContain(status);
        expect(headers.get('location')).toBeNull();
        // An invalid URL is rejected; next-auth's client then opens the app's sign-in page.
        const { url = ourOrigin } = z.object({ url: z.string().optional() }).parse(body);
        expect(new URL(url).origin).toBe(ourOrigin);
        for (const line of headers.getSetCookie()) expect(decodeURIComponent(line)).not.toContain(callbackUrl);
      }
      const query = `?callbackUrl=${encodeURIComponent(callbackUrl)}&next=${encodeURIComponent(callbackUrl)}`;
      for (const action of ['signin', 'signout', 'error']) {
        const { status, headers } = await openClient(remembered).get(`/api/auth/${action}${query}`);
        expect([302, 307, 400]).toContain(status);
        if (status === 400) continue;
        const target = new URL(headers.get('location') ?? '', appUrl);
        expect(target.origin).toBe(ourOrigin);
        expect(target.pathname).toBe('/user/login');
      }
    },
  );

  it.each([
    ['/user/orders?page=2', '/user/orders?page=2'],
    ['/dashboard/features/orders', '/dashboard/features/orders'],
    ['/seller', '/seller'],
    ['/api/user/auth/verify?token=x', '/user'],
    ['/', '/user'],
  ])('redirects to %s: %s', async (callbackUrl, expected) => {
    const { email } = await makeAccount();
    for (const given of [callbackUrl, `${ourOrigin}${callbackUrl}`]) {
      expect((await signIn(email, testPassword, { callbackUrl: given })).body).toEqual({
        url: `${ourOrigin}${expected}`,
      });
    }
  });
});

describe("next-auth's session", () => {
  it('returns the current user without extending the session', async () => {
    const client = openClient();
    const { email, userId } = await makeAccount();
    await client.signIn('user', email);
    const answer = await client.get('/api/auth/session');
    expect(answer).toMatchObject({ status: 200, body: { user: { email, role: 'User' } } });
    const [row] = await runningOf(userId);
    expect(answer.body).toMatchObject({ expires: row?.expiresAt.toISOString() });
    expect(sessionCookieOf(answer.headers)).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  });

  it('is empty without a session, with a forged cookie, an ended session or a suspended user', async () => {
    const signedOut = { status: 200, body: {} };
    expect(await openClient().get('/api/auth/session')).toMatchObject(signedOut);
    expect((await openClient(`${sessionCookieName()}=forged`).get('/api/auth/session')).body).toEqual({});
    const client = openClient();
    const { email, userId } = await makeAccount();
    await client.signIn('user', email);
    const kept = openClient(client.cookie());
    await client.post('/api/user/auth/logout');
    expect((await kept.get('/api/auth/session')).body).toEqual({});
    await client.signIn('user', email);
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, userId));
    expect((await client.get('/api/auth/session')).body).toEqual({});
  });

  it("is deleted by next-auth's sign-out", async () => {
    const client = openClient();
    const { email, userId } = await makeAccount();
    await client.signIn('user', email);
    const answer = await post('signout', {}, client.cookie());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect(await runningOf(userId)).toEqual([]);
    expect((await openClient(client.cookie()).get('/api/user/auth/me')).status).toBe(401);
  });
});

describe('the rest of next-auth', () => {
  it.each([
    ['POST', 'session'],
    ['POST', '_log'],
    ['POST', 'signin/email'],
    ['POST', 'callback/github'],
    ['GET', 'callback/credentials'],
    ['GET', 'verify-request'],
    ['GET', 'nonsense'],
  ])('%s %s is disabled', async (method, action) => {
    const answer = await openClient().request(`/api/auth/${action}`, {
      method,
      ...(method === 'POST' && { body: {} }),
    });
    expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) } });
  });

  it.each(['signin', 'signout', 'error'])("GET %s redirects to the app's sign-in page", async (action) => {
    const { status, headers } = await openClient().get(`/api/auth/${action}`);
    expect([302, 307]).toContain(status);
    expect(new URL(headers.get('location') ?? '', appUrl).pathname).toBe('/user/login');
  });
});
