import { and, eq, isNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { sessions, users } from '@/db/schema/users';
import { beginTotp, confirmTotp } from '@/lib/auth/totp';
import { newId } from '@/lib/ids';
import { limits } from '@/lib/platform/rate-limits/limits';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { appCode } from '@/tests/setup/app-code';
import { openClient, type Portal } from '@/tests/setup/http-client';
import { linkIn, mailsTo, newestMailTo, tokenIn } from '@/tests/setup/mailbox';

const newEmail = () => `${newId()}@example.com`;
const password = 'a new and long password';
const ok = { status: 200, body: { ok: true } };

/** A buyer unless another portal is given. */
function openCaller() {
  const client = openClient();
  const signIn = (email: string, given = testPassword, portal: Portal = 'user') => client.signIn(portal, email, given);
  return { ...client, signIn };
}

const userOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0];

describe.each(['/api/user/auth/register', '/api/auth/register'])('POST %s', (path) => {
  it('creates a Pending user for any status and role sent, and the mailed link activates it', async () => {
    const caller = openCaller();
    const email = newEmail();
    const body = { name: 'Ann', email, password, status: 'Active', role: 'Admin' };
    const answer = await caller.post(path, body);
    expect(answer).toMatchObject({ status: 201, body: { ok: true } });
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(await userOf(email)).toMatchObject({ name: 'Ann', status: 'Pending', role: 'User' });
    expect((await caller.signIn(email, password)).status).toBe(403);

    const link = linkIn(await newestMailTo(email));
    expect(link.pathname).toBe('/verify-email');
    const token = link.searchParams.get('token') ?? '';
    expect(await caller.get(`/api/user/auth/verify?token=${token}`)).toMatchObject(ok);
    expect((await caller.signIn(email, password)).status).toBe(200);
    expect(await caller.get(`/api/user/auth/verify?token=${token}`)).toMatchObject({
      status: 400,
      body: { error: 'Already verified. Sign in.', url: '/user/login' },
    });
  });

  it('responds to a known email as to a new one, and mails it', async () => {
    const caller = openCaller();
    const { email } = await makeAccount();
    const [known, unknown] = [
      await caller.post(path, { email, password }),
      await caller.post(path, { email: newEmail(), password }),
    ];
    expect(known.status).toBe(201);
    expect(known.body).toEqual(unknown.body);
    expect(namesOf(known.headers)).toEqual(namesOf(unknown.headers));
    expect((await newestMailTo(email)).subject).toBe('You already have an account');
  });

  it("responds to a deleted account's email alike, creates none, and mails the reason", async () => {
    const caller = openCaller();
    const { email, userId } = await makeAccount({ deletedAt: new Date() });
    expect(await caller.post(path, { email, password })).toMatchObject({ status: 201, body: { ok: true } });
    expect((await newestMailTo(email)).subject).toBe('Your account was closed');
    expect(await userOf(email)).toMatchObject({ id: userId, deletedAt: expect.any(Date) });
    expect((await caller.signIn(email, password)).status).toBe(401);
  });

  it.each([
    [{ email: 'ann@example.com', password: 'seven77' }, 'password', 'Password must be at least 8 characters.'],
    [{ email: 'ann', password }, 'email', 'Email format looks invalid.'],
    [{ email: 'ann@example.com', password: 'Password1' }, 'password', expect.stringMatching(/easy to guess/)],
    [{ email: 'ann@example.com', password: 'x'.repeat(201) }, 'password', expect.stringMatching(/at most 200/)],
    [{ password }, 'email', 'Email format looks invalid.'],
    [{ email: 'ann@example.com' }, 'password', 'Password must be at least 8 characters.'],
  ])('rejects %j', async (body, field, message) => {
    expect(await openCaller().post(path, body)).toMatchObject({
      status: 400,
      body: { error: message, fields: { [field]: message } },
    });
  });

  it('limits the requests per hour', async () => {
    const caller = openCaller();
    const email = newEmail();
    const tries = await Promise.all(
      Array.from({ length: limits.register.pair.max + 3 }, () => caller.post(path, { email, password })),
    );
    expect(tries.filter(({ status }) => status === 201)).toHaveLength(limits.register.pair.max);
    expectLimited(tries);
  });
});

describe('POST /api/user/auth/forgot and /reset', () => {
  it('mails a link that sets a new password once and ends every session', async () => {
    const caller = openCaller();
    const { email } = await makeAccount();
    const before = openCaller();
    await before.signIn(email);
    expect(await caller.post('/api/user/auth/forgot', { email })).toMatchObject(ok);
    const token = tokenIn(await newestMailTo(email));
    expect(await caller.post('/api/user/auth/reset', { token, password })).toMatchObject(ok);
    expect((await before.get('/api/user/auth/me')).status).toBe(401);
    expect((await caller.signIn(email)).status).toBe(401);
    expect((await caller.signIn(email, password)).status).toBe(200);
    expect(await caller.post('/api/user/auth/reset', { token, password })).toMatchObject({
      status: 400,
      body: { error: 'Reset failed. The link may have expired.' },
    });
  });

  it('ends sessions that were opened with the old password during the reset', async () => {
    const { email } = await makeAccount();
    await openCaller().post('/api/user/auth/forgot', { email });
    const token = tokenIn(await newestMailTo(email));
    const racing = Array.from({ length: 6 }, () => openCaller());
    const [reset] = await Promise.all([
      openCaller().post('/api/user/auth/reset', { token, password }),
      ...racing.map((one) => one.signIn(email)),
    ]);
    expect(reset).toMatchObject(ok);
    for (const one of racing) expect((await one.get('/api/user/auth/me')).status).toBe(401);
  });

  it('responds alike for every email', async () => {
    const caller = openCaller();
    const { email } = await makeAccount();
    const suspended = (await makeAccount({ status: 'Suspended' })).email;
    const answers = [];
    for (const one of [email, suspended, newEmail()])
      answers.push(await caller.post('/api/user/auth/forgot', { email: one }));
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(Array(3).fill(ok));
    expect(new Set(answers.map(({ headers }) => namesOf(headers).join())).size).toBe(1);
    await newestMailTo(email);
    expect(await mailsTo(suspended)).toEqual([]);
  });

  it.each([
    [{ password }, 'Missing token.'],
    [{ token: '', password }, 'Missing token.'],
    [{ token: 'x', password: 'short' }, 'Password must be at least 8 characters.'],
    [{ token: 'x', password }, 'Reset failed. The link may have expired.'],
  ])('rejects %j', async (body, error) => {
    expect(await openCaller().post('/api/user/auth/reset', body)).toMatchObject({ status: 400, body: { error } });
  });

  it('limits the attempts to use a link from one address', async () => {
    const caller = openCaller();
    const { max } = limits.reset.address;
    const tries = await Promise.all(
      Array.from({ length: max + 2 }, () => caller.post('/api/user/auth/reset', { token: 'x', password })),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(max);
    expectLimited(tries);
  });

  it('limits the requests per hour', async () => {
    const caller = openCaller();
    const email = newEmail();
    const tries = await Promise.all(
      Array.from({ length: limits.forgot.pair.max + 2 }, () => caller.post('/api/user/auth/forgot', { email })),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(limits.forgot.pair.max);
    expectLimited(tries);
  });
});

describe('GET /api/user/auth/verify and POST …/resend', () => {
  it('names missing fields', async () => {
    for (const query of ['', '?token=']) {
      expect(await openCaller().get(`/api/user/auth/verify${query}`)).toMatchObject({
        status: 400,
        body: { error: 'Missing verification token.' },
      });
    }
    expect((await openCaller().get('/api/user/auth/verify?token=nonsense')).status).toBe(400);
    expect((await openCaller().post('/api/user/auth/verify/resend', {})).status).toBe(200);
  });

  it('mails a new link to a Pending account, and responds alike for every email', async () => {
    const caller = openCaller();
    const { email } = await makeAccount({ status: 'Pending' });
    const active = (await makeAccount()).email;
    for (const one of [email, active, newEmail()]) {
      expect(await caller.post('/api/user/auth/verify/resend', { email: one })).toMatchObject(ok);
    }
    const token = tokenIn(await newestMailTo(email));
    expect(await mailsTo(active)).toEqual([]);
    await caller.post('/api/user/auth/verify/resend', { email });
    await newestMailTo(email, 2);
    expect((await caller.get(`/api/user/auth/verify?token=${token}`)).status).toBe(400);
    expect(await caller.get(`/api/user/auth/verify?token=${tokenIn(await newestMailTo(email, 2))}`)).toMatchObject(ok);
  });

  it('limits the requests per hour', async () => {
    const caller = openCaller();
    const email = newEmail();
    const tries = await Promise.all(
      Array.from({ length: limits.resend.pair.max + 2 }, () => caller.post('/api/user/auth/verify/resend', { email })),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(limits.resend.pair.max);
    expectLimited(tries);
  });
});

describe('failed sign-ins', () => {
  const { max } = limits.signIn.pair;

  it.each(['user', 'admin', 'seller'] as const)(
    'are limited in the %s portal, also concurrently, and for a correct password too',
    async (portal) => {
      const caller = openCaller();
      const { email } = await makeAccount({ role: 'Admin' });
      const tries = await Promise.all(Array.from({ length: max + 8 }, () => caller.signIn(email, 'wrong', portal)));
      expect(tries.filter(({ status }) => status === 401)).toHaveLength(max);
      expectLimited(tries);
      expect((await caller.signIn(email, testPassword, portal)).status).toBe(429);
      if (portal === 'seller') return;
      // The owner at another address is not affected.
      expect((await openCaller().signIn(email, testPassword, portal)).status).toBe(200);
    },
  );

  it('are limited for an unknown email alike', async () => {
    const caller = openCaller();
    const email = newEmail();
    const tries = await Promise.all(Array.from({ length: max + 2 }, () => caller.signIn(email, 'wrong')));
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(max);
    expectLimited(tries);
  });

  it('are reset by a success', async () => {
    const caller = openCaller();
    const { email } = await makeAccount();
    for (let round = 0; round < 2; round += 1) {
      for (let count = 1; count < max; count += 1) expect((await caller.signIn(email, 'wrong')).status).toBe(401);
      expect((await caller.signIn(email)).status).toBe(200);
    }
  });

  it('of one account do not affect other accounts', async () => {
    const caller = openCaller();
    const { email } = await makeAccount();
    await Promise.all(Array.from({ length: max + 2 }, () => caller.signIn(newEmail(), 'wrong')));
    expect((await caller.signIn(email)).status).toBe(200);
  });
});

describe('two-step sign-in', () => {
  async function enrolled() {
    const actor = await makeAccount({ role: 'Seller' });
    const { secret } = await beginTotp(actor, testPassword);
    const { recoveryCodes } = await confirmTotp(actor, appCode(secret, -1));
    return { email: actor.email, userId: actor.userId, secret, recoveryCodes };
  }
  const send = (email: string, code?: string, given = testPassword) =>
    openCaller().post('/api/seller/auth/login', { email, password: given, code });

  it('requests the code only after the correct password, and starts no session without it', async () => {
    const { email, userId, secret } = await enrolled();
    expect((await send(email, undefined, 'wrong')).body).toEqual({ error: 'Invalid credentials.' });
    const asked = await send(email);
    expect(asked).toMatchObject({ status: 401, body: { fields: { code: expect.any(String) } } });
    expect(asked.headers.getSetCookie()).toEqual([]);
    expect((await send(email, '000000')).status).toBe(401);
    const open = and(eq(sessions.userId, userId), isNull(sessions.endedAt));
    expect(await db().select().from(sessions).where(open)).toEqual([]);
    const code = appCode(secret);
    expect((await send(email, code)).status).toBe(200);
    // The same code again.
    expect((await send(email, code)).status).toBe(401);
  });

  it('accepts a recovery code instead, once, and audits it', async () => {
    const { email, userId, recoveryCodes } = await enrolled();
    expect((await send(email, recoveryCodes[0])).status).toBe(200);
    expect((await send(email, recoveryCodes[0])).status).toBe(401);
    const audited = await db().select().from(auditLogs).where(eq(auditLogs.entityId, userId));
    expect(audited.map(({ action }) => action)).toContain('user.recovery_code_used');
  });

  it('limits guesses', async () => {
    const { email, secret } = await enrolled();
    const { max } = limits.secondFactor.account;
    // Each from its own IP address.
    const tries = await Promise.all(Array.from({ length: max + 2 }, () => send(email, '000000')));
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(max);
    expectLimited(tries);
    expect((await send(email, appCode(secret))).status).toBe(429);
  });
});

/** Header names without those that every response has. */
function namesOf(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => !['date', 'content-length'].includes(name)).sort();
}

function expectLimited(answers: { status: number; headers: Headers; body: unknown }[]): void {
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThan(0);
  for (const { headers, body } of limited) {
    expect(body).toEqual({ error: expect.stringMatching(/^Too many attempts\. (Please wait|Wait) /) });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('cache-control')).toContain('no-store');
  }
}
