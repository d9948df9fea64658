import { and, eq, isNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { emailTokens } from '@/db/schema/email-tokens';
import { recoveryCodes, sessions, users } from '@/db/schema/users';
import { type Actor, systemActor } from '@/lib/access/actor';
import { changePassword } from '@/lib/auth/change-password';
import { createEmailToken } from '@/lib/auth/email-token';
import { verifyPassword } from '@/lib/auth/password';
import { requireUnchanged } from '@/lib/auth/recent-authentication';
import { renewRecoveryCodes } from '@/lib/auth/recovery-codes';
import { requestReset, resetPassword } from '@/lib/auth/reset-password';
import { beginTotp, confirmTotp, disableTotp } from '@/lib/auth/totp';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { appCode } from '@/tests/setup/app-code';
import { outboxOf } from '@/tests/setup/outbox';
import { settle } from '@/tests/setup/settle';

const caller = systemActor('Test', 'web');
const byMail = 'the password set by mail';

async function signedIn(): Promise<Actor> {
  const actor = await makeAccount({ role: 'Seller' });
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db().insert(sessions).values({ id: actor.sessionId, userId: actor.userId, expiresAt });
  return actor;
}

const userOf = async ({ userId }: Actor) => {
  const [user] = await db().select().from(users).where(eq(users.id, userId));
  if (!user) throw new Error('No user');
  return user;
};

/** Resets the password by mail while `work`, which has verified the old one, waits for the row lock. */
async function resetDuring<T>(actor: Actor, work: () => Promise<T>) {
  const token = await createEmailToken(db(), actor.userId, 'reset-password');
  let working: Promise<{ values: T[]; codes: string[] }> = settle([]);
  await db().transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.id, actor.userId)).for('no key update');
    const resetting = resetPassword(caller, token, byMail);
    // The reset is queued for the row lock before the change.
    await waiting(1);
    working = settle([work()]);
    await waiting(2);
    void resetting.catch(() => undefined);
  });
  return working;
}

/** Waits until this many statements wait for a lock. */
const waiting = (count: number) =>
  expect
    .poll(async () => {
      const rows = await db().execute<{ count: number }>(
        "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows[0]?.count;
    })
    .toBe(count);

describe('a password reset by mail during', () => {
  it('a password change is not overwritten by the change', async () => {
    const actor = await signedIn();
    const { codes } = await resetDuring(actor, () => changePassword(actor, testPassword, 'the thief chose this one'));
    expect(codes).toEqual(['unauthenticated']);
    expect(await verifyPassword((await userOf(actor)).passwordHash, byMail)).toBe(true);
  });

  it('disabling two-step sign-in or renewing codes keeps both unchanged', async () => {
    for (const work of [disableTotp, renewRecoveryCodes]) {
      const actor = await signedIn();
      const { secret } = await beginTotp(actor, testPassword);
      await confirmTotp(actor, appCode(secret, -1));
      const codesOf = () => db().select().from(recoveryCodes).where(eq(recoveryCodes.userId, actor.userId));
      const before = await codesOf();
      const { codes } = await resetDuring(actor, async () => void (await work(actor, testPassword)));
      expect(codes).toEqual(['unauthenticated']);
      expect((await userOf(actor)).totpEnabledAt).not.toBeNull();
      expect(await codesOf()).toEqual(before);
    }
  });

  it('the setup of an authenticator prevents the setup', async () => {
    const actor = await signedIn();
    const { codes } = await resetDuring(actor, () => beginTotp(actor, testPassword));
    expect(codes).toEqual(['unauthenticated']);
    expect((await userOf(actor)).totpSecret).toBeNull();
  });
});

it('a session that ends during the request changes nothing further', async () => {
  const actor = await signedIn();
  const { passwordHash } = await userOf(actor);
  await db().transaction((tx) => requireUnchanged(tx, actor, passwordHash));
  await db().update(sessions).set({ endedAt: new Date() }).where(eq(sessions.id, actor.sessionId));
  await expect(changePassword(actor, testPassword, 'a new and long password')).rejects.toMatchObject({
    code: 'unauthenticated',
  });
});

describe('reset links', () => {
  const open = ({ userId }: Actor) =>
    db()
      .select()
      .from(emailTokens)
      .where(and(eq(emailTokens.userId, userId), isNull(emailTokens.usedAt)));

  it('requested eight times concurrently leave one valid link', async () => {
    const actor = await makeAccount();
    await Promise.all(Array.from({ length: 8 }, () => requestReset(actor.email)));
    expect(await open(actor)).toHaveLength(1);
    const sent = await outboxOf(actor.email);
    const tokens = sent.map(({ text }) => /token=([\w-]+)/.exec(text)?.[1] ?? '');
    expect(tokens).toHaveLength(8);
    const { values, codes } = await settle(
      tokens.map((token, index) => resetPassword(caller, token, `${byMail} ${index}`)),
    );
    expect([values.length, codes.length]).toEqual([1, 7]);
  });

  it('are all invalidated when the first is used', async () => {
    const actor = await makeAccount();
    const token = await createEmailToken(db(), actor.userId, 'reset-password');
    // As two concurrent requests once left them: both valid.
    const [first] = await open(actor);
    if (!first) throw new Error('No link');
    await db()
      .insert(emailTokens)
      .values({ ...first, id: `${first.id}b`, tokenHash: 'another' });
    await resetPassword(caller, token, byMail);
    expect(await open(actor)).toEqual([]);
  });
});
