import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { POST as postUserAuth } from '@/app/api/user/auth/[operation]/route';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { sessions } from '@/db/schema/users';
import { changePassword } from '@/lib/auth/change-password';
import { renewRecoveryCodes } from '@/lib/auth/recovery-codes';
import { beginTotp, confirmTotp, disableTotp } from '@/lib/auth/totp';
import { newId } from '@/lib/ids';
import { updateProviderConfig } from '@/lib/payments/config/update-config';
import { createFeatureRole } from '@/lib/roles/feature-roles/feature-roles';
import { createRole, grantPermission, revokePermission } from '@/lib/roles/roles';
import { assignRole, updateUser } from '@/lib/users/users';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeRole } from '@/tests/factories/make-staff';
import { appCode } from '@/tests/setup/app-code';
import { callHandler } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const newPassword = 'kettle drum on a wet violet roof';

async function subjectsTo(email: string): Promise<string[]> {
  const rows = await db()
    .select({ subject: mails.subject })
    .from(mails)
    .where(and(eq(mails.recipient, email), eq(mails.kind, 'security-notice')))
    .orderBy(mails.id);
  return rows.map(({ subject }) => subject);
}

beforeEach(() => db().delete(mails));

describe('a sign-in', () => {
  const enter = async (email: string, cookie = '') => {
    const answer = await callHandler(postUserAuth, 'http://localhost:3000/api/user/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
      body: { email, password: testPassword },
    });
    expect(answer.status).toBe(200);
    const device = answer.setCookies.find((line) => line.includes('linkmarket.device'));
    expect(device).toMatch(/HttpOnly/i);
    return device?.split(';')[0] ?? '';
  };
  const signInSubject = 'New sign-in to your account';

  it('is mailed from an unknown device only, and never for the first sign-in', async () => {
    const [ann, bob] = [await makeAccount(), await makeAccount()];
    const first = await enter(ann.email);
    expect(await subjectsTo(ann.email)).toEqual([]);
    await enter(ann.email, first);
    expect(await subjectsTo(ann.email)).toEqual([]);
    await enter(ann.email);
    expect(await subjectsTo(ann.email)).toEqual([signInSubject]);

    const shared = await enter(bob.email, first);
    await enter(bob.email, shared);
    await enter(ann.email, shared);
    expect([await subjectsTo(ann.email), await subjectsTo(bob.email)]).toEqual([[signInSubject], []]);
  });

  it('accepts no cookie of another account, no forged cookie, and no session as a known device', async () => {
    const [ann, bob] = [await makeAccount(), await makeAccount()];
    await enter(ann.email);
    await enter(ann.email, await enter(bob.email));
    await enter(ann.email, 'linkmarket.device.3000=eyJhY2NvdW50cyI6W119');
    expect(await subjectsTo(ann.email)).toEqual([signInSubject, signInSubject]);
  });
});

describe('a user is notified', () => {
  const signedIn = async () => {
    const actor = await makeAccount();
    const expiresAt = new Date(Date.now() + 600_000);
    await db().insert(sessions).values({ id: actor.sessionId, userId: actor.userId, expiresAt });
    return actor;
  };

  it('of a new password, set by themselves or by staff', async () => {
    const [actor, admin] = [await signedIn(), await makeAccount({ role: 'Admin' })];
    await expect(changePassword(actor, 'wrong', newPassword)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await subjectsTo(actor.email)).toEqual([]);
    await changePassword(actor, testPassword, newPassword);
    expect(await subjectsTo(actor.email)).toEqual(['Your password was changed']);
    await updateUser(admin, actor.userId, { password: `${newPassword}!` });
    expect(await subjectsTo(actor.email)).toEqual(['Your password was changed', 'Your password was changed']);
  });

  it('of two-step sign-in turned on or off, and of new recovery codes', async () => {
    const actor = await signedIn();
    const { secret } = await beginTotp(actor, testPassword);
    await confirmTotp(actor, appCode(secret, 0));
    expect(await subjectsTo(actor.email)).toEqual(['Two-step sign-in was turned on']);
    await renewRecoveryCodes(actor, testPassword);
    await disableTotp(actor, testPassword);
    expect(await subjectsTo(actor.email)).toEqual([
      'Two-step sign-in was turned on',
      'New recovery codes were created',
      'Two-step sign-in was turned off',
    ]);
  });
});

describe('every admin is notified', () => {
  it('of changed permissions and payment keys, including the actor; of no other change', async () => {
    const [admin, other] = [await makeAccount({ role: 'Admin' }), await makeAccount({ role: 'Admin' })];
    const gone = await makeAccount({ role: 'Admin', deletedAt: new Date() });
    const [person, asleep] = [await makeAccount(), await makeAccount({ role: 'Admin', status: 'Suspended' })];
    const { name } = await createRole(admin, `Role ${newId()}`);
    await assignRole(admin, person.userId, 'Seller');
    expect(await subjectsTo(other.email)).toEqual([]);

    await grantPermission(admin, name, 'AdminDashboard');
    await grantPermission(admin, name, 'AdminDashboard');
    await revokePermission(admin, name, 'AdminDashboard');
    await assignRole(admin, person.userId, await makeRole(['AdminDashboard']));
    await assignRole(admin, person.userId, 'User');
    await createFeatureRole(admin, { name: newId(), userId: person.userId, features: ['User Settings Access'] });
    await updateProviderConfig(admin, 'stripe', { mode: 'test', secret_key: 'sk_test_12345678' });
    const expected = [
      'The permissions of a role changed',
      'The permissions of a role changed',
      'The permissions of a user changed',
      'The permissions of a user changed',
      'The permissions of a user changed',
      'Payment keys or settings were changed',
    ];
    for (const { email } of [admin, other]) expect(await subjectsTo(email)).toEqual(expected);
    for (const { email } of [gone, asleep, person]) expect(await subjectsTo(email)).toEqual([]);
  });
});
