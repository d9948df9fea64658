import { and, eq, isNull, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { GET } from '@/app/api/user/auth/[operation]/route';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { emailTokens } from '@/db/schema/email-tokens';
import { mails } from '@/db/schema/mails';
import { passkeys } from '@/db/schema/passkeys';
import { sessions, users } from '@/db/schema/users';
import { systemActor } from '@/lib/access/actor';
import { verifyPassword } from '@/lib/auth/password';
import { register } from '@/lib/auth/register';
import { requestReset, resetPassword } from '@/lib/auth/reset-password';
import { sessionCookieName } from '@/lib/auth/session-token';
import { resendVerification, verifyEmail } from '@/lib/auth/verify-email';
import { newId } from '@/lib/ids';
import { publishLegalDocument } from '@/lib/settings/legal/documents';
import { makeAccount } from '@/tests/factories/make-account';
import { joinTeam, makeTeamOf } from '@/tests/factories/make-team';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';
import { callHandler, inRequest } from '@/tests/setup/request-scope';
import { settle } from '@/tests/setup/settle';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const caller = systemActor('Test', 'web');
const password = 'a new and long password';
const newEmail = () => `${newId()}@example.com`;

beforeEach(async () => {
  await db().delete(mails);
});

async function mailsTo(email: string) {
  return (await outboxOf(email)).map(({ kind, text }) => ({
    kind,
    token: /token=([\w-]+)/.exec(text)?.[1] ?? '',
    text,
  }));
}

/** The secret in the newest mail to this address. */
async function tokenOf(email: string): Promise<string> {
  const token = (await mailsTo(email)).at(-1)?.token;
  if (!token) throw new Error(`No link was mailed to ${email}`);
  return token;
}

const userOf = async (email: string) => {
  const [user] = await db().select().from(users).where(eq(users.email, email));
  if (!user) throw new Error(`No user ${email}`);
  return user;
};

const openSession = (userId: string) =>
  db()
    .insert(sessions)
    .values({ id: newId(), userId, expiresAt: new Date(Date.now() + 3_600_000) });

const expireLinks = (userId: string) =>
  db().update(emailTokens).set({ expiresAt: sql`now()` }).where(eq(emailTokens.userId, userId));

describe('registration', () => {
  it.each(['User', 'Seller'] as const)(
    'creates a Pending %s and mails a link, whose secret is not stored',
    async (role) => {
      const email = newEmail();
      await register(caller, role, { name: 'Ann', email, password });
      const user = await userOf(email);
      expect(user).toMatchObject({ name: 'Ann', role, status: 'Pending', emailVerifiedAt: null });
      expect(user.passwordHash).toMatch(/^\$argon2id\$/);
      const token = await tokenOf(email);
      expect(token).toMatch(/^[\w-]{43}$/);
      const kept = await db().select().from(emailTokens).where(eq(emailTokens.userId, user.id));
      expect(JSON.stringify(kept)).not.toContain(token);
    },
  );

  it('changes nothing for a known email in any case, and mails that the account exists', async () => {
    const known = await makeAccount({ name: 'Before' });
    const before = await userOf(known.email);
    await register(caller, 'Seller', { name: 'After', email: known.email.toUpperCase(), password });
    expect(await userOf(known.email)).toEqual(before);
    const [mail, ...more] = await mailsTo(known.email);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: 'account-exists', text: expect.stringContaining('/seller/forgot') });
  });

  it('keeps a deleted account closed, and informs only its mailbox', async () => {
    const deleted = await makeAccount({ deletedAt: new Date(), name: 'Before' });
    const before = await userOf(deleted.email);
    expect(
      await register(caller, 'User', { name: 'After', email: deleted.email.toUpperCase(), password }),
    ).toBeUndefined();
    expect(await userOf(deleted.email)).toEqual(before);
    const [mail, ...more] = await mailsTo(deleted.email);
    expect(more).toEqual([]);
    // It contains no link, neither to set a password nor to confirm the address.
    expect(mail).toMatchObject({ kind: 'account-closed', token: '', text: expect.stringContaining('was closed') });
    expect(await db().select().from(emailTokens).where(eq(emailTokens.userId, deleted.userId))).toEqual([]);
  });

  it('keeps the links of a known account valid, and stores none of its own', async () => {
    const { email, userId } = await makeAccount({ status: 'Pending' });
    await resendVerification(email);
    const token = await tokenOf(email);
    await register(caller, 'User', { name: '', email, password });
    expect(await db().select().from(emailTokens).where(eq(emailTokens.userId, userId))).toHaveLength(1);
    await verifyEmail(caller, token);
    expect(await userOf(email)).toMatchObject({ status: 'Active' });
  });

  it('writes an audit line for every kind of address', async () => {
    const known = await makeAccount();
    const deleted = await makeAccount({ deletedAt: new Date() });
    const email = newEmail();
    for (const one of [email, known.email, deleted.email])
      await register(caller, 'User', { name: '', email: one, password });
    const actionsOf = async (userId: string) =>
      (await db().select().from(auditLogs).where(eq(auditLogs.entityId, userId))).map(({ action }) => action);
    expect(await actionsOf((await userOf(email)).id)).toEqual(['user.registered']);
    for (const { userId } of [known, deleted]) expect(await actionsOf(userId)).toEqual(['user.registration_refused']);
  });

  it('creates one account for concurrent attempts', async () => {
    const email = newEmail();
    const answers = await settle(
      Array.from({ length: 6 }, () => register(caller, 'User', { name: '', email, password })),
    );
    expect(answers.codes).toEqual([]);
    expect(await db().select().from(users).where(eq(users.email, email))).toHaveLength(1);
    const kinds = (await mailsTo(email)).map(({ kind }) => kind).sort();
    expect(kinds).toEqual([...Array(5).fill('account-exists'), 'verify-email']);
  });
});

describe('a verification link', () => {
  async function pending() {
    const email = newEmail();
    await register(caller, 'User', { name: '', email, password });
    return { email, token: await tokenOf(email), user: await userOf(email) };
  }

  it('activates a Pending account once, also for concurrent clicks', async () => {
    const { email, token } = await pending();
    const { values, codes: refused } = await settle(Array.from({ length: 8 }, () => verifyEmail(caller, token)));
    expect([values.length, refused.length]).toEqual([1, 7]);
    expect(await userOf(email)).toMatchObject({ status: 'Active', emailVerifiedAt: expect.any(Date) });
    await expect(verifyEmail(caller, token)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it.each([
    ['User', '/user'],
    ['Seller', '/seller'],
  ] as const)('returns the address and the portal of a %s', async (role, home) => {
    const email = newEmail();
    await register(caller, role, { name: '', email, password });
    expect(await verifyEmail(caller, await tokenOf(email))).toEqual({ email, home, isSignedIn: false });
  });

  it('signs in once, without another proof, and only where it replaces no one and passes neither a second factor nor the terms', async () => {
    const press = (token: string, signedInAs: string | null = null) =>
      inRequest({}, () => verifyEmail(caller, token, { ip: '', userAgent: '', signedInAs }));
    const sessionsOf = (userId: string) => db().select().from(sessions).where(eq(sessions.userId, userId));
    const { token, user } = await pending();
    expect(await press(token)).toMatchObject({ isSignedIn: true });
    const [session] = await sessionsOf(user.id);
    expect(session?.authenticatedAt.getTime()).toBe(0);
    await expect(press(token)).rejects.toMatchObject({
      message: 'Already verified. Sign in.',
      details: { url: '/user/login' },
    });
    const withKey = async (userId: string) => {
      const key = { ...{ id: newId(), userId, credentialId: newId(), publicKey: 'AA', counter: 0 }, transports: [] };
      await db()
        .insert(passkeys)
        .values({ ...key, isBackedUp: false, name: 'Mine' });
    };
    const set = (values: Partial<typeof users.$inferInsert>) => async (userId: string) => {
      await db().update(users).set(values).where(eq(users.id, userId));
    };
    const other = (await makeAccount()).userId;
    const admin = await makeUser('Admin');
    const publish = (text: string, version: number) => publishLegalDocument(admin, { kind: 'terms', text, version });
    for (const [prepare, signedInAs] of [
      [withKey, null],
      [set({ status: 'Suspended' }), null],
      [set({ role: 'Admin' }), null],
      [async () => undefined, other],
      [() => publish('Be kind.', 0), null],
    ] as const) {
      const next = await pending();
      await prepare(next.user.id);
      expect(await press(next.token, signedInAs)).toMatchObject({ isSignedIn: false });
      expect(await sessionsOf(next.user.id)).toEqual([]);
    }
    await publish('', 1);
  });

  it.each([
    ['a program', {}, false],
    ['a page elsewhere', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }, false],
    ['a link in a page of the app', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }, false],
    ["the page's button", { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }, true],
  ])('confirms the address for %s, and sets a cookie only for the page', async (_, headers, isSignedIn) => {
    const { token } = await pending();
    const url = `http://localhost:3000/api/user/auth/verify?token=${token}`;
    const answer = await callHandler(GET, url, { headers });
    expect(answer).toMatchObject({ status: 200, body: { isSignedIn } });
    expect(answer.setCookies.some((line) => line.startsWith(sessionCookieName()))).toBe(isSignedIn);
  });

  it('is valid for 24 hours', async () => {
    const { token, user, email } = await pending();
    const [row] = await db()
      .select({ hours: sql<number>`extract(epoch from ${emailTokens.expiresAt} - now())::float / 3600` })
      .from(emailTokens)
      .where(eq(emailTokens.userId, user.id));
    expect(row?.hours).toBeCloseTo(24, 1);
    await expireLinks(user.id);
    await expect(verifyEmail(caller, token)).rejects.toThrow('Verification failed.');
    expect(await userOf(email)).toMatchObject({ status: 'Pending' });
  });

  it('is invalidated by a newer one', async () => {
    const { email, token } = await pending();
    await resendVerification(email.toUpperCase());
    await expect(verifyEmail(caller, token)).rejects.toMatchObject({ code: 'invalid_input' });
    await verifyEmail(caller, await tokenOf(email));
    expect(await userOf(email)).toMatchObject({ status: 'Active' });
  });

  it('sets no password, and lifts no suspension', async () => {
    const { email, token, user } = await pending();
    await expect(resetPassword(caller, token, password)).rejects.toMatchObject({ code: 'invalid_input' });
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, user.id));
    await verifyEmail(caller, token);
    expect(await userOf(email)).toMatchObject({ status: 'Suspended' });
  });

  it('is sent again only to Pending accounts', async () => {
    for (const status of ['Active', 'Suspended', 'Expired'] as const) {
      const { email } = await makeAccount({ status });
      await resendVerification(email);
      expect(await mailsTo(email), status).toEqual([]);
    }
    await resendVerification(newEmail());
    expect(await db().select().from(mails)).toEqual([]);
  });
});

describe('a reset link', () => {
  it('sets a new password once, also for concurrent attempts, and ends every session', async () => {
    const { email, userId } = await makeAccount();
    await openSession(userId);
    await openSession(userId);
    await requestReset(email);
    const token = await tokenOf(email);
    const tries = Array.from({ length: 6 }, (_, index) => resetPassword(caller, token, `${password} ${index}`));
    const { values, codes: refused } = await settle(tries);
    expect([values.length, refused.length]).toEqual([1, 5]);
    const { passwordHash } = await userOf(email);
    const matches = await Promise.all(tries.map((_, index) => verifyPassword(passwordHash, `${password} ${index}`)));
    expect(matches.filter(Boolean)).toHaveLength(1);
    expect(
      await db()
        .select()
        .from(sessions)
        .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt))),
    ).toEqual([]);
  });

  it('names the members of the accounts that the person owns, who keep their access', async () => {
    const person = await makeAccount();
    const [helper, colleague, other] = [await makeUser(), await makeUser(), await makeUser()];
    await joinTeam(helper, person, 'manager');
    const team = await makeTeamOf(person, { name: 'Garden Agency' });
    await joinTeam(colleague, team, 'buyer');
    await joinTeam(person, await makeTeamOf(other), 'manager');
    await requestReset(person.email);
    await resetPassword(caller, await tokenOf(person.email), password);
    const { text = '' } = (await mailsTo(person.email)).at(-1) ?? {};
    const shown = text.replaceAll(/\s+/g, ' ');
    expect(shown).toContain(`${helper.email} (manager)`);
    expect(shown).toContain(`${colleague.email} (buyer of “Garden Agency”)`);
    expect(shown).toContain('Open People in each account, and remove who should not be there.');
    expect(shown).not.toContain(other.email);
  });

  it('verifies a Pending account, because the link proves access to the mailbox', async () => {
    const { email } = await makeAccount({ status: 'Pending' });
    await requestReset(email);
    await resetPassword(caller, await tokenOf(email), password);
    expect(await userOf(email)).toMatchObject({ status: 'Active', emailVerifiedAt: expect.any(Date) });
  });

  it('is valid for an hour, and invalidated by a newer one', async () => {
    const { email, userId } = await makeAccount();
    await requestReset(email);
    const first = await tokenOf(email);
    await requestReset(email);
    await expect(resetPassword(caller, first, password)).rejects.toThrow('Reset failed. The link may have expired.');
    const [row] = await db()
      .select({ minutes: sql<number>`extract(epoch from ${emailTokens.expiresAt} - now())::float / 60` })
      .from(emailTokens)
      .where(and(eq(emailTokens.userId, userId), isNull(emailTokens.usedAt)));
    expect(row?.minutes).toBeCloseTo(60, 0);
    await expireLinks(userId);
    await expect(resetPassword(caller, await tokenOf(email), password)).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it.each(['Suspended', 'Expired'] as const)('is not sent to a %s account', async (status) => {
    const { email } = await makeAccount({ status });
    await requestReset(email);
    expect(await mailsTo(email)).toEqual([]);
  });

  it('is not sent to a deleted or unknown account', async () => {
    const { email } = await makeAccount({ deletedAt: new Date() });
    await requestReset(email);
    await requestReset(newEmail());
    expect(await db().select().from(mails)).toEqual([]);
  });

  it('leads a seller to the seller portal', async () => {
    const { email } = await makeAccount({ role: 'Seller' });
    await requestReset(email);
    expect((await mailsTo(email))[0]?.text).toContain('/seller/forgot?token=');
  });
});
