import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { rateLimits } from '@/db/schema/limits';
import { sessions, users } from '@/db/schema/users';
import { action } from '@/lib/auth/action';
import { endSession } from '@/lib/auth/revoke-access';
import { listSessions } from '@/lib/auth/security-overview';
import { encodeSessionToken, sessionCookieName } from '@/lib/auth/session-token';
import { signIn } from '@/lib/auth/sign-in';
import { beginTotp, confirmTotp } from '@/lib/auth/totp';
import { newId } from '@/lib/ids';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { limits } from '@/lib/platform/rate-limits/limits';
import { findNewestDocument, listConsents, publishLegalDocument } from '@/lib/settings/legal/documents';
import type { AgreedVersions } from '@/lib/settings/legal/legal';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeUser } from '@/tests/factories/make-user';
import { appCode } from '@/tests/setup/app-code';
import { inRequest } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

/** An active session of this user. @returns its token */
async function session(userId: string): Promise<string> {
  const id = newId();
  await db()
    .insert(sessions)
    .values({ id, userId, expiresAt: new Date(Date.now() + 3_600_000) });
  return encodeSessionToken(userId, id, 3_600);
}

type Entry = {
  ip?: string;
  code?: string;
  password?: string;
  headers?: Record<string, string>;
  agreedTo?: AgreedVersions;
};

const enter = (email: string, { ip = '', code = '', password = testPassword, headers = {}, agreedTo }: Entry = {}) =>
  inRequest(headers, () =>
    signIn('user', { email, password, remember: false, code, agreedTo }, { ip, userAgent: '', requestId: '' }),
  );

describe('signing out', () => {
  it('ends the sessions of the cookie and the bearer token, also when one is invalid', async () => {
    const [one, other] = [await makeAccount(), await makeAccount()];
    const cookie = `${sessionCookieName()}=${await session(one.userId)}`;
    const bearer = await session(other.userId);
    await inRequest({ cookie, authorization: `Bearer ${bearer}` }, endSession);
    expect([await listSessions(one.userId), await listSessions(other.userId)]).toEqual([[], []]);
    const again = `${sessionCookieName()}=${await session(one.userId)}`;
    for (const stale of [bearer, 'no-token-at-all']) {
      await inRequest({ cookie: again, authorization: `Bearer ${stale}` }, endSession);
      expect(await listSessions(one.userId)).toEqual([]);
    }
  });
});

describe('signing in', () => {
  it('records the consent to the current documents once, also in the audit log', async () => {
    await publishLegalDocument(await makeUser('Admin'), { kind: 'terms', text: 'Be kind.', version: 0 });
    const { userId, email } = await makeAccount();
    await enter(email);
    expect(await listConsents(userId)).toEqual([]);
    for (const terms of [1, 1, 2]) await enter(email, { agreedTo: { terms } });
    expect(await listConsents(userId)).toMatchObject([{ kind: 'terms', version: 1 }]);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, userId));
    expect(lines.filter(({ details }) => details.includes('Terms of service: agreed to version 1.'))).toHaveLength(1);
  });

  it('asks for the agreement to a newer version, after the correct password only, and never staff', async () => {
    const admin = await makeUser('Admin');
    const newest = async () => (await findNewestDocument('privacy'))?.version ?? 0;
    const publish = async (text: string) =>
      publishLegalDocument(admin, { kind: 'privacy', text, version: await newest() });
    await publish(newId());
    const { email } = await makeAccount();
    const asked = { code: 'forbidden', details: { fields: { agreement: expect.any(String) } } };
    await expect(enter(email, { agreedTo: {} })).rejects.toMatchObject(asked);
    for (const one of [email, `${newId()}@example.com`])
      await expect(enter(one, { agreedTo: {}, password: 'wrong' })).rejects.toMatchObject({ code: 'unauthenticated' });
    const terms = (await findNewestDocument('terms'))?.version ?? 0;
    await enter(email, { agreedTo: { terms, privacy: await newest() } });
    await enter(email, { agreedTo: {} });
    await publish(newId());
    await expect(enter(email, { agreedTo: { terms, privacy: (await newest()) - 2 } })).rejects.toMatchObject(asked);
    // A form that was open at the publication; a program, which shows no documents; staff.
    await enter(email, { agreedTo: { terms, privacy: (await newest()) - 1 } });
    await enter(email);
    await enter((await makeAccount({ role: 'Admin' })).email, { agreedTo: {} });
    await publish('');
  });

  it('ends the session of the request, of any user', async () => {
    const [before, next] = [await makeAccount(), await makeAccount()];
    const headers = { cookie: `${sessionCookieName()}=${await session(before.userId)}` };
    await session(before.userId);
    await enter(next.email, { headers });
    expect(await listSessions(before.userId)).toHaveLength(1);
    expect(await listSessions(next.userId)).toHaveLength(1);
  });

  it('in two steps counts nothing for the address, and its first step forgives no wrong code', async () => {
    const actor = await makeAccount();
    const ip = '10.88.0.1';
    const { secret } = await beginTotp(actor, testPassword);
    await confirmTotp(actor, appCode(secret, -1));
    const countOf = async (key: string) =>
      (await db().select().from(rateLimits).where(eq(rateLimits.key, key))).map(({ count }) => count)[0] ?? 0;
    for (const step of [0, 1]) {
      await expect(enter(actor.email, { ip })).rejects.toMatchObject({
        details: { fields: { code: expect.any(String) } },
      });
      await enter(actor.email, { ip, code: appCode(secret, step) });
    }
    expect(await countOf(`signIn:address:${ip}`)).toBe(0);
    await expect(enter(actor.email, { ip, code: '000000' })).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(enter(actor.email, { ip })).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await countOf(`signIn:pair:${actor.email}|${ip}`)).toBe(1);
    expect(await countOf(`signIn:address:${ip}`)).toBe(1);
    expect((await db().select().from(users).where(eq(users.id, actor.userId)))[0]?.totpEnabledAt).not.toBeNull();
  });
});

it('a rate-limited action returns how long to wait, as text and in seconds', async () => {
  const account = newId();
  const limited = action({ access: 'public', input: z.object({}) }, () =>
    consumeLimit('enrolment', { account, address: '' }),
  );
  const ask = () => inRequest({ origin: 'http://localhost:3000' }, () => limited({}));
  for (let count = 0; count < limits.enrolment.account.max; count += 1) expect(await ask()).toMatchObject({ ok: true });
  const refused = z
    .object({ status: z.literal(429), error: z.string(), retryAfterSeconds: z.int() })
    .parse(await ask());
  expect(refused.retryAfterSeconds).toBeGreaterThan(0);
  expect(refused.error).toBe('Too many attempts. Please wait 15 minutes and try again.');
});
