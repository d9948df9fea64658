import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { passkeyChallenges, passkeys } from '@/db/schema/passkeys';
import { sessions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { challengeSeconds, confirmWithPasskey, requestConfirmation } from '@/lib/auth/passkey-requests';
import { addPasskey, beginPasskey, maxPasskeys, removePasskey } from '@/lib/auth/passkeys';
import type { Portal } from '@/lib/auth/portals';
import { reauthenticateWithPasskey } from '@/lib/auth/recent-authentication';
import { signIn } from '@/lib/auth/sign-in';
import {
  beginPasskeySignIn,
  beginPasskeyStep,
  signInWithPasskey,
  signInWithPasskeyStep,
} from '@/lib/auth/sign-in-with-passkey';
import { getTwoStep, listPasskeys } from '@/lib/auth/two-step';
import { newId } from '@/lib/ids';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeSoftwarePasskey } from '@/tests/factories/software-passkey';
import { settle } from '@/tests/setup/settle';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const caller = () => ({
  ip: `10.9.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`,
  requestId: newId(),
  userAgent: 'Test',
});
const denied = { code: 'unauthenticated' };

async function signedIn(values: Parameters<typeof makeAccount>[0] = {}): Promise<Actor> {
  const actor = await makeAccount(values);
  await db()
    .insert(sessions)
    .values({ id: actor.sessionId, userId: actor.userId, expiresAt: new Date(Date.now() + 3_600_000) });
  return actor;
}

async function withPasskey(values: Parameters<typeof makeAccount>[0] = {}) {
  const actor = await signedIn(values);
  const key = makeSoftwarePasskey();
  const { challenge } = await beginPasskey(actor, testPassword);
  const { recoveryCodes } = await addPasskey(actor, { name: 'Laptop', response: key.register(challenge) });
  return { actor, key, recoveryCodes: recoveryCodes ?? [] };
}

type Key = ReturnType<typeof makeSoftwarePasskey>;
async function enter(key: Key, portal: Portal = 'user', options: Parameters<Key['answer']>[1] = {}) {
  const { challenge } = await beginPasskeySignIn(caller());
  return signInWithPasskey({ portal, remember: false, response: key.answer(challenge, options) }, caller());
}
const runningOf = async (actor: Actor) =>
  (await db().select().from(sessions).where(eq(sessions.userId, actor.userId))).filter(({ endedAt }) => !endedAt);
const actionsOf = async (actor: Actor) =>
  (await db().select().from(auditLogs).where(eq(auditLogs.entityId, actor.userId)).orderBy(auditLogs.id)).map(
    ({ action }) => action,
  );

describe('adding a passkey', () => {
  it('requires the password, stores a public key, returns recovery codes, is mailed and audited', async () => {
    const { actor, key, recoveryCodes } = await withPasskey();
    expect(recoveryCodes).toHaveLength(10);
    expect(await listPasskeys(actor.userId)).toMatchObject([{ name: 'Laptop', lastUsedAt: null }]);
    expect((await getTwoStep(actor.userId)).recoveryCodesLeft).toBe(10);
    expect(await actionsOf(actor)).toContain('user.passkey_added');
    const mailed = await db().select().from(mails).where(eq(mails.recipient, actor.email));
    expect(mailed.map(({ subject }) => subject)).toEqual(['A passkey was added to your account']);
    await expect(beginPasskey(actor, 'wrong')).rejects.toMatchObject({ code: 'invalid_input' });
    const again = await beginPasskey(actor, testPassword);
    expect(again.excludeCredentials?.map(({ id }) => id)).toEqual([key.credentialId]);
    expect(again.authenticatorSelection).toMatchObject({ residentKey: 'preferred' });
    const second = makeSoftwarePasskey();
    const added = await addPasskey(actor, { name: 'Phone', response: second.register(again.challenge) });
    expect(added).toEqual({ recoveryCodes: null });
  });

  it('accepts a challenge once, for its user, purpose and site, within five minutes', async () => {
    const [actor, other] = [await signedIn(), await signedIn()];
    const add = (who: Actor, response: ReturnType<Key['register']>) => addPasskey(who, { name: 'A', response });
    const begin = async (who = actor) => (await beginPasskey(who, testPassword)).challenge;
    const key = makeSoftwarePasskey();
    await expect(add(actor, key.register(await begin(other)))).rejects.toMatchObject(denied);
    await expect(add(actor, key.register((await beginPasskeySignIn(caller())).challenge))).rejects.toMatchObject(
      denied,
    );
    await expect(add(actor, key.register(await begin(), { origin: 'https://evil.example' }))).rejects.toMatchObject(
      denied,
    );
    await expect(add(actor, key.register(await begin(), { rpID: 'evil.example' }))).rejects.toMatchObject(denied);
    const late = await begin();
    await db()
      .update(passkeyChallenges)
      .set({ expiresAt: new Date(Date.now() - 1_000) });
    await expect(add(actor, key.register(late))).rejects.toMatchObject(denied);
    expect(challengeSeconds).toBe(300);
    const challenge = await begin();
    const tries = await settle(Array.from({ length: 4 }, () => add(actor, makeSoftwarePasskey().register(challenge))));
    expect([tries.values.length, tries.codes.length]).toEqual([1, 3]);
    expect(await listPasskeys(actor.userId)).toHaveLength(1);
  });

  it(`is limited to ${maxPasskeys}, also concurrently, and to a valid session`, async () => {
    const actor = await signedIn();
    const waiting = [];
    for (let count = 0; count < maxPasskeys + 2; count += 1) waiting.push(await beginPasskey(actor, testPassword));
    const { codes } = await settle(
      waiting.map(({ challenge }) =>
        addPasskey(actor, { name: 'A', response: makeSoftwarePasskey().register(challenge) }),
      ),
    );
    expect(codes).toEqual(['conflict', 'conflict']);
    expect(await listPasskeys(actor.userId)).toHaveLength(maxPasskeys);
    const other = await signedIn();
    const { challenge } = await beginPasskey(other, testPassword);
    await db().update(sessions).set({ endedAt: new Date() }).where(eq(sessions.userId, other.userId));
    await expect(
      addPasskey(other, { name: 'A', response: makeSoftwarePasskey().register(challenge) }),
    ).rejects.toMatchObject(denied);
  });
});

describe('sign-in with a passkey alone', () => {
  it('starts a session and records its use', async () => {
    const { actor, key } = await withPasskey();
    await enter(key);
    expect(await runningOf(actor)).toHaveLength(2);
    expect((await listPasskeys(actor.userId))[0]?.lastUsedAt).toBeInstanceOf(Date);
    expect((await actionsOf(actor)).at(-1)).toBe('session.started');
  });

  it('applies the same role and status rules as the password', async () => {
    const buyer = await withPasskey();
    await expect(enter(buyer.key, 'admin')).rejects.toMatchObject({
      code: 'forbidden',
      message: 'Not an admin account.',
      details: { url: '/user/login' },
    });
    await expect(enter(buyer.key, 'seller')).rejects.toMatchObject({ code: 'forbidden' });
    const seller = await withPasskey({ role: 'Seller' });
    expect(await enter(seller.key, 'user')).toBe('/seller');
    const admin = await withPasskey({ role: 'Admin' });
    await enter(admin.key, 'admin');
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, buyer.actor.userId));
    await expect(enter(buyer.key)).rejects.toMatchObject({ code: 'forbidden' });
    await db().update(users).set({ status: 'Active', deletedAt: new Date() }).where(eq(users.id, buyer.actor.userId));
    await expect(enter(buyer.key)).rejects.toMatchObject(denied);
  });

  it('rejects missing user verification, another site, a used challenge and an unknown key', async () => {
    const { actor, key } = await withPasskey();
    await expect(enter(key, 'user', { isVerified: false })).rejects.toMatchObject(denied);
    await expect(enter(key, 'user', { origin: 'http://localhost:3001' })).rejects.toMatchObject(denied);
    await expect(enter(key, 'user', { rpID: 'example.com' })).rejects.toMatchObject(denied);
    await expect(enter(makeSoftwarePasskey())).rejects.toMatchObject(denied);
    const { challenge } = await beginPasskeySignIn(caller());
    const response = key.answer(challenge);
    const tries = await settle(
      Array.from({ length: 4 }, () => signInWithPasskey({ portal: 'user', remember: false, response }, caller())),
    );
    expect([tries.values.length, tries.codes.length]).toEqual([1, 3]);
    const confirm = await requestConfirmation(actor);
    const borrowed = key.answer(confirm.challenge);
    await expect(
      signInWithPasskey({ portal: 'user', remember: false, response: borrowed }, caller()),
    ).rejects.toMatchObject(denied);
  });

  it('rejects and audits a signature counter that does not increase', async () => {
    const { actor, key } = await withPasskey();
    await enter(key, 'user', { counter: 7 });
    await expect(enter(key, 'user', { counter: 7 })).rejects.toMatchObject(denied);
    await expect(enter(key, 'user', { counter: 0 })).rejects.toMatchObject(denied);
    expect((await actionsOf(actor)).filter((action) => action === 'passkey.counter_regressed')).toHaveLength(2);
    await enter(key, 'user', { counter: 8 });
  });
});

describe('a passkey as the second step', () => {
  const step = async (actor: Actor, key: Key, password = testPassword) => {
    const input = { portal: 'user' as const, email: actor.email, password };
    const { challenge, allowCredentials } = await beginPasskeyStep(input, caller());
    expect(allowCredentials?.map(({ id }) => id)).toContain(key.credentialId);
    await signInWithPasskeyStep(
      { ...input, remember: false, response: key.answer(challenge, { isVerified: false }) },
      caller(),
    );
  };
  const byPassword = (actor: Actor, code = '') =>
    signIn('user', { email: actor.email, password: testPassword, code, remember: false }, caller());

  it('is requested by the password sign-in, and requires the password too', async () => {
    const { actor, key } = await withPasskey();
    await expect(byPassword(actor)).rejects.toMatchObject({
      ...denied,
      details: { fields: { code: expect.any(String) } },
    });
    await expect(step(actor, key, 'wrong password')).rejects.toMatchObject(denied);
    await step(actor, key);
    expect(await runningOf(actor)).toHaveLength(2);
  });

  it('rejects a passkey of another user', async () => {
    const [mine, other] = [await withPasskey(), await withPasskey()];
    const input = { portal: 'user' as const, email: mine.actor.email, password: testPassword };
    const { challenge } = await beginPasskeyStep(input, caller());
    await expect(
      signInWithPasskeyStep({ ...input, remember: false, response: other.key.answer(challenge) }, caller()),
    ).rejects.toMatchObject(denied);
  });

  it('accepts recovery codes instead, and deletes them with the last passkey', async () => {
    const { actor, recoveryCodes } = await withPasskey();
    await byPassword(actor, recoveryCodes[0]);
    const [passkey] = await listPasskeys(actor.userId);
    const other = await signedIn();
    await expect(removePasskey(other, passkey?.id ?? '', testPassword)).rejects.toMatchObject({ code: 'not_found' });
    await expect(removePasskey(actor, passkey?.id ?? '', 'wrong')).rejects.toMatchObject({ code: 'invalid_input' });
    await removePasskey(actor, passkey?.id ?? '', testPassword);
    expect(await getTwoStep(actor.userId)).toEqual({ enabledAt: null, recoveryCodesLeft: 0 });
    expect(await actionsOf(actor)).toContain('user.passkey_removed');
    await byPassword(actor);
  });
});

it("rejects a removed passkey, and confirms only with the user's own passkeys", async () => {
  const { actor, key } = await withPasskey();
  const other = await withPasskey();
  const ask = async () => (await requestConfirmation(actor)).challenge;
  expect(await confirmWithPasskey(actor, key.answer(await ask()))).toBe('Laptop');
  const longAgo = new Date(Date.now() - 3_600_000);
  await db().update(sessions).set({ authenticatedAt: longAgo }).where(eq(sessions.id, actor.sessionId));
  await reauthenticateWithPasskey(actor, key.answer(await ask()));
  const [session] = await db().select().from(sessions).where(eq(sessions.id, actor.sessionId));
  expect(session?.authenticatedAt?.getTime()).toBeGreaterThan(longAgo.getTime());
  await expect(confirmWithPasskey(actor, other.key.answer(await ask()))).rejects.toMatchObject(denied);
  await expect(confirmWithPasskey(actor, key.answer(await ask(), { isVerified: false }))).rejects.toMatchObject(denied);
  const challenge = await ask();
  await db().delete(passkeys).where(eq(passkeys.userId, actor.userId));
  await expect(confirmWithPasskey(actor, key.answer(challenge))).rejects.toMatchObject(denied);
  await expect(enter(key)).rejects.toMatchObject(denied);
});
