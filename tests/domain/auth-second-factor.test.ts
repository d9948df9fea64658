import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { recoveryCodes, sessions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { changePassword } from '@/lib/auth/change-password';
import { verifyPassword } from '@/lib/auth/password';
import { renewRecoveryCodes } from '@/lib/auth/recovery-codes';
import { endOtherSessions, endOwnSession } from '@/lib/auth/revoke-access';
import { checkSecondFactor } from '@/lib/auth/second-factor';
import { listSessions } from '@/lib/auth/security-overview';
import { acceptedSteps, beginTotp, confirmTotp, disableTotp } from '@/lib/auth/totp';
import { getTwoStep } from '@/lib/auth/two-step';
import { newId } from '@/lib/ids';
import { limits } from '@/lib/platform/rate-limits/limits';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { appCode } from '@/tests/setup/app-code';
import { settle } from '@/tests/setup/settle';

const check = async (actor: Actor, code: string) => {
  const [user] = await db().select().from(users).where(eq(users.id, actor.userId));
  if (!user) throw new Error('No user');
  await checkSecondFactor(actor, user.totpSecret, code);
};

const auditEntriesOf = (actor: Actor) =>
  db().select().from(auditLogs).where(eq(auditLogs.userId, actor.userId)).orderBy(auditLogs.id);

const openSession = (actor: Actor, id = actor.sessionId) =>
  db()
    .insert(sessions)
    .values({ id, userId: actor.userId, expiresAt: new Date(Date.now() + 3_600_000) });

async function enrolled() {
  const actor = await makeAccount({ role: 'Seller' });
  await openSession(actor);
  const { secret, uri } = await beginTotp(actor, testPassword);
  const { recoveryCodes: codes } = await confirmTotp(actor, appCode(secret, -1));
  return { actor, secret, uri, codes };
}

describe('setting up an authenticator', () => {
  it('requires no code before its confirmation, and stores the secret sealed', async () => {
    const actor = await makeAccount({ role: 'Seller' });
    const { secret, uri } = await beginTotp(actor, testPassword);
    expect(uri).toMatch(/^otpauth:\/\/totp\/LinkMarket:/);
    expect(uri).toContain(secret);
    const [user] = await db().select().from(users).where(eq(users.id, actor.userId));
    expect(user).toMatchObject({ totpEnabledAt: null, totpSecret: expect.stringMatching(/^v1\./) });
    expect(user?.totpSecret).not.toContain(secret);
    await expect(confirmTotp(actor, '000000')).rejects.toMatchObject({
      details: { fields: { code: expect.any(String) } },
    });
    expect(await getTwoStep(actor.userId)).toEqual({ enabledAt: null, recoveryCodesLeft: 0 });
  });

  it('returns ten recovery codes, stored as hashes, and cannot start again while enabled', async () => {
    const { actor, codes } = await enrolled();
    expect(new Set(codes).size).toBe(10);
    const kept = JSON.stringify(await db().select().from(recoveryCodes).where(eq(recoveryCodes.userId, actor.userId)));
    for (const code of codes) expect(kept).not.toContain(code);
    expect(kept.match(/argon2id/g)).toHaveLength(10);
    expect(await getTwoStep(actor.userId)).toEqual({ enabledAt: expect.any(Date), recoveryCodesLeft: 10 });
    await expect(beginTotp(actor, testPassword)).rejects.toMatchObject({ code: 'conflict' });
    await expect(confirmTotp(actor, '000000')).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('the confirmation', () => {
  it('rejects even a correct code after too many wrong ones', async () => {
    const actor = await makeAccount({ role: 'Seller' });
    const { secret } = await beginTotp(actor, testPassword);
    const { max } = limits.enrolment.account;
    await settle(Array.from({ length: max }, () => confirmTotp(actor, '000000')));
    await expect(confirmTotp(actor, appCode(secret))).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('must happen within 15 minutes', async () => {
    const actor = await makeAccount({ role: 'Seller' });
    const { secret } = await beginTotp(actor, testPassword);
    const begun = (minutes: number) =>
      db()
        .update(users)
        .set({ totpBegunAt: new Date(Date.now() - minutes * 60_000) })
        .where(eq(users.id, actor.userId));
    await begun(16);
    await expect(confirmTotp(actor, appCode(secret))).rejects.toMatchObject({ code: 'conflict' });
    await begun(14);
    await confirmTotp(actor, appCode(secret));
  });
});

describe('the second step', () => {
  it('accepts each code of the app once, also concurrently', async () => {
    const { actor, secret } = await enrolled();
    const { values, codes: refused } = await settle(Array.from({ length: 6 }, () => check(actor, appCode(secret))));
    expect([values.length, refused.length]).toEqual([1, 5]);
    await expect(check(actor, appCode(secret))).rejects.toMatchObject({
      code: 'unauthenticated',
      details: { fields: { code: expect.any(String) } },
    });
    // The code that confirmed the setup is older.
    await expect(check(actor, appCode(secret, -1))).rejects.toMatchObject({ code: 'unauthenticated' });
    await check(actor, appCode(secret, 1));
  });

  it('accepts each recovery code once, in any case and without dashes', async () => {
    const { actor, codes } = await enrolled();
    const [code = '', other = ''] = codes;
    const { values } = await settle(
      Array.from({ length: 6 }, () => check(actor, code.toUpperCase().replaceAll('-', ' '))),
    );
    expect(values).toHaveLength(1);
    await check(actor, other);
    expect((await getTwoStep(actor.userId)).recoveryCodesLeft).toBe(8);
  });

  it('accepts a recovery code when the secret cannot be decrypted', async () => {
    const { actor, codes } = await enrolled();
    await db().update(users).set({ totpSecret: 'v1.damaged' }).where(eq(users.id, actor.userId));
    await check(actor, codes[0] ?? '');
    await expect(check(actor, codes[0] ?? '')).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('audits the use of a recovery code without the code', async () => {
    const { actor, codes } = await enrolled();
    const [code = ''] = codes;
    await check(actor, code);
    await expect(check(actor, code)).rejects.toMatchObject({ code: 'unauthenticated' });
    const auditEntries = await auditEntriesOf(actor);
    expect(auditEntries.map(({ action }) => action)).toEqual(['user.totp_enabled', 'user.recovery_code_used']);
    expect(auditEntries.at(-1)?.details).toBe(
      `${actor.email} used a recovery code instead of the authenticator; 9 are left.`,
    );
    expect(JSON.stringify(auditEntries)).not.toContain(code);
  });

  it('renews recovery codes with the password, and invalidates the earlier ones', async () => {
    const { actor, codes } = await enrolled();
    await check(actor, codes[0] ?? '');
    await expect(renewRecoveryCodes(actor, 'wrong')).rejects.toMatchObject({
      details: { fields: { password: expect.any(String) } },
    });
    const { recoveryCodes: renewed } = await renewRecoveryCodes(actor, testPassword);
    expect(new Set([...renewed, ...codes]).size).toBe(20);
    expect((await getTwoStep(actor.userId)).recoveryCodesLeft).toBe(10);
    for (const old of codes.slice(0, 4))
      await expect(check(actor, old)).rejects.toMatchObject({ code: 'unauthenticated' });
    await check(actor, renewed[0] ?? '');
    expect((await auditEntriesOf(actor)).map(({ action }) => action)).toContain('user.recovery_codes_renewed');
  });

  it('has no recovery codes to renew while disabled', async () => {
    const actor = await makeAccount();
    await openSession(actor);
    await expect(renewRecoveryCodes(actor, testPassword)).rejects.toMatchObject({ code: 'conflict' });
  });

  const { max, seconds } = limits.secondFactor.account;
  const wrong = '000000';
  const sendWrong = (actor: Actor, count: number) =>
    settle(
      Array.from({ length: count }, (_, index) =>
        check({ ...actor, sessionId: newId(), ip: `10.7.0.${index}` }, wrong),
      ),
    );

  it('is guessed within a month in fewer than 1 of 10,000 cases', () => {
    const month = 30 * 24 * 60 * 60;
    const windowsInAMonth = Math.ceil(month / seconds) + 1;
    expect((windowsInAMonth * max * acceptedSteps) / 1_000_000).toBeLessThan(1 / 10_000);
  });

  it('accepts no single code beyond the limit, also concurrently and from many addresses', async () => {
    const { actor, secret } = await enrolled();
    const { codes: refused } = await sendWrong(actor, max + 3);
    expect(refused.filter((code) => code === 'rate_limited')).toHaveLength(3);
    await expect(check(actor, appCode(secret))).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('keeps counting wrong codes after a correct one', async () => {
    const { actor, secret } = await enrolled();
    await sendWrong(actor, max - 1);
    await check(actor, appCode(secret));
    await sendWrong(actor, 1);
    await expect(check(actor, appCode(secret, 1))).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('admits the owner beyond the limit with two successive codes or a recovery code', async () => {
    const { actor, secret, codes } = await enrolled();
    await sendWrong(actor, max);
    for (const pair of [
      wrong + appCode(secret, 1),
      appCode(secret) + wrong,
      appCode(secret) + appCode(secret),
      appCode(secret, 1) + appCode(secret),
    ])
      await expect(check(actor, pair), pair).rejects.toMatchObject({ code: 'unauthenticated' });
    const both = `${appCode(secret)} ${appCode(secret, 1)}`;
    await check(actor, both);
    await expect(check(actor, both)).rejects.toMatchObject({ code: 'unauthenticated' });
    await check(actor, codes[0] ?? '');
  });

  it("rejects nothing, nonsense, old codes and another user's codes", async () => {
    const [mine, other] = [await enrolled(), await enrolled()];
    for (const code of ['', '000000', 'abc', appCode(mine.secret, -4), appCode(other.secret), other.codes[0] ?? '']) {
      await expect(check(mine.actor, code), code).rejects.toMatchObject({ code: 'unauthenticated' });
    }
  });

  it('is disabled only with the password, deletes the recovery codes, and is audited', async () => {
    const { actor } = await enrolled();
    await expect(disableTotp(actor, 'wrong')).rejects.toMatchObject({
      details: { fields: { password: expect.any(String) } },
    });
    await disableTotp(actor, testPassword);
    expect(await getTwoStep(actor.userId)).toEqual({ enabledAt: null, recoveryCodesLeft: 0 });
    const auditEntries = await auditEntriesOf(actor);
    expect(auditEntries.map(({ action }) => action)).toEqual(['user.totp_enabled', 'user.totp_disabled']);
  });
});

describe("the user's own account", () => {
  async function withSessions() {
    const actor = await makeAccount();
    const ids = [actor.sessionId, newId(), newId()];
    const expiresAt = new Date(Date.now() + 3_600_000);
    await db()
      .insert(sessions)
      .values(ids.map((id) => ({ id, userId: actor.userId, expiresAt })));
    return { actor, others: ids.slice(1) };
  }
  const running = async (actor: Actor) => (await listSessions(actor.userId)).map(({ id }) => id);

  it('changes the password with the current one, and ends every other session', async () => {
    const { actor } = await withSessions();
    await expect(changePassword(actor, 'wrong', 'a new and long password')).rejects.toMatchObject({
      details: { fields: { current: expect.any(String) } },
    });
    await changePassword(actor, testPassword, 'a new and long password');
    const [user] = await db().select().from(users).where(eq(users.id, actor.userId));
    expect(await verifyPassword(user?.passwordHash ?? null, 'a new and long password')).toBe(true);
    expect(await running(actor)).toEqual([actor.sessionId]);
  });

  it('limits attempts at the current password', async () => {
    const { actor } = await withSessions();
    const { max } = limits.password.pair;
    const { codes: refused } = await settle(
      Array.from({ length: max + 3 }, () => changePassword(actor, 'wrong', 'a new and long password')),
    );
    expect(refused.filter((code) => code === 'rate_limited')).toHaveLength(3);
    await expect(changePassword(actor, testPassword, 'a new and long password')).rejects.toMatchObject({
      code: 'rate_limited',
    });
  });

  it("ends one of the user's sessions, or all others, and no other user's", async () => {
    const { actor, others } = await withSessions();
    const stranger = await withSessions();
    const [first = '', second = ''] = others;
    await expect(endOwnSession(stranger.actor, first)).rejects.toMatchObject({ code: 'not_found' });
    await endOwnSession(actor, first);
    await expect(endOwnSession(actor, first)).rejects.toMatchObject({ code: 'not_found' });
    expect((await running(actor)).sort()).toEqual([actor.sessionId, second].sort());
    expect(await endOtherSessions(actor)).toEqual({ ended: 1 });
    expect(await running(actor)).toEqual([actor.sessionId]);
    expect(await running(stranger.actor)).toHaveLength(3);
  });
});
