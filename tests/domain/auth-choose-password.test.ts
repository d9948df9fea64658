import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/users';
import { systemActor } from '@/lib/access/actor';
import { changePassword } from '@/lib/auth/change-password';
import { newPasswordField } from '@/lib/auth/contract';
import { createEmailToken } from '@/lib/auth/email-token';
import { hashChosenPassword, isGuessable, verifyPassword } from '@/lib/auth/password';
import { register } from '@/lib/auth/register';
import { resetPassword } from '@/lib/auth/reset-password';
import { newId } from '@/lib/ids';
import { saveProfile } from '@/lib/users/save-profile';
import { createUser, updateUser } from '@/lib/users/users';
import { makeAccount, testPassword } from '@/tests/factories/make-account';

const ann = { name: 'Ann Smithers', email: 'ann.smithers@widgets.example' };
const refusal = { code: 'invalid_input', details: { fields: { password: expect.stringMatching(/easy to guess/) } } };
const weak = 'Password2026!';

describe('a new password', () => {
  it.each([
    'password1',
    'Password1',
    weak,
    'Summer2026!',
    'qwertyuiop',
    'aaaaaaaaaaaaaaaa',
    'annsmithers7',
    'Smithers99',
    'ann.smithers@widgets.example',
    'widgets123',
    'LinkMarket1',
    'DemoPassw0rd!',
    'ＤｅｍｏＰａｓｓｗ０ｒｄ！',
    'ｐａｓｓｗｏｒｄ１２３',
  ])('is rejected when attackers try it early: %s', async (password) => {
    await expect(hashChosenPassword(password, ann)).rejects.toMatchObject(refusal);
  });

  it.each(['correct horse battery', 'kzX82!pQr3w', 'Ädrösül tüwänk längst'])('is hashed: %s', async (password) => {
    expect(await verifyPassword(await hashChosenPassword(password, ann), password)).toBe(true);
  });

  it('is rejected when it is the own email address or name of any length', async () => {
    const email = 'bartholomew.featherstonehaugh-winterbottom@accounts.example.com';
    const owner = { name: 'Bartholomew Ambrose Featherstonehaugh-Winterbottom', email };
    const reversed = [...email].reverse().join('');
    const [local = '', domain = ''] = email.split('@');
    const texts = [
      ...[email, email.toUpperCase(), `${email}1`, `${email}${email}`, `!${owner.name}!`, reversed],
      ...[local, `${local}2026`, `${domain}@${local}`, `${local} at ${domain}`, local.replaceAll(/[.-]/g, ' ')],
      'Featherstonehaugh-Winterbottom, Bartholomew Ambrose',
    ];
    for (const text of texts) await expect(hashChosenPassword(text, owner), text).rejects.toMatchObject(refusal);
    await hashChosenPassword(`${email} kzX82!pQr3w`, owner);
    await hashChosenPassword('the accounts of bartholomew like zebras, pianos and tractors', owner);
  });

  it('is the same in every form in which keyboards and systems send it, also with a hash of an earlier form', async () => {
    const typed = 'Ädrösül tüwänk längst';
    const forms = [typed, typed.normalize('NFD'), typed.replaceAll(' ', '\u00a0'), typed.replaceAll('k', '\uff4b')];
    for (const form of forms) {
      const stored = await hashChosenPassword(form, ann);
      for (const other of forms) expect(await verifyPassword(stored, other)).toBe(true);
      expect(await verifyPassword(stored, typed.replace('Ä', 'A'))).toBe(false);
    }
    const decomposed = typed.normalize('NFD');
    const earlier = await hash(decomposed);
    expect(await verifyPassword(earlier, decomposed)).toBe(true);
    expect(await verifyPassword(earlier, 'Adrösül tüwänk längst')).toBe(false);
  });

  it('has 8 to 200 characters', () => {
    const said = (password: string) => newPasswordField.safeParse(password).error?.issues[0]?.message;
    expect(said('seven77')).toBe('Password must be at least 8 characters.');
    expect(said('x'.repeat(200))).toBeUndefined();
    expect(said('x'.repeat(201))).toBe('Password must be at most 200 characters.');
  });

  it('is estimated on a bounded prefix, so that a long one does not block the process', () => {
    const cheapest = (password: string) =>
      Math.min(
        ...Array.from({ length: 3 }, () => {
          const started = process.cpuUsage();
          isGuessable(password, [ann.name, ann.email]);
          return process.cpuUsage(started).user;
        }),
      );
    const [bounded, longest] = [cheapest('p4ssw0rd'.repeat(4)), cheapest('p4ssw0rd'.repeat(25))];
    // Without the bound it takes more than a hundred times as long.
    expect(longest).toBeLessThan(bounded * 5 + 20_000);
  });
});

describe('every function that sets a password', () => {
  const caller = systemActor('Test', 'web');

  it('rejects a guessable one', async () => {
    const actor = await makeAccount({ name: 'Bob Harrington' });
    await db()
      .insert(sessions)
      .values({ id: actor.sessionId, userId: actor.userId, expiresAt: new Date(Date.now() + 3_600_000) });
    const admin = await makeAccount({ role: 'Admin' });
    const email = `${newId()}@example.com`;
    const token = await db().transaction((tx) => createEmailToken(tx, actor.userId, 'reset-password'));
    const own = 'BobHarrington7';
    const kept = await db().select().from(users).where(eq(users.id, actor.userId));
    for (const attempt of [
      () => register(caller, 'User', { name: 'Bob Harrington', email, password: own }),
      () => resetPassword(caller, token, own),
      () => changePassword(actor, testPassword, own),
      () =>
        saveProfile(actor, {
          name: actor.name,
          email: actor.email,
          current: testPassword,
          password: own,
          confirm: own,
        }),
      () => updateUser(admin, actor.userId, { password: own }),
      () => createUser(admin, { name: 'Bob Harrington', email, status: 'Active', role: 'User', password: own }),
    ]) {
      await expect(attempt(), String(attempt)).rejects.toMatchObject(refusal);
    }
    expect(await db().select().from(users).where(eq(users.id, actor.userId))).toEqual(kept);
  });
});
