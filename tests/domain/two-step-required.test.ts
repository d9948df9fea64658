import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paths } from '@/app/api/openapi.json/paths';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { passkeys } from '@/db/schema/passkeys';
import { settings } from '@/db/schema/settings';
import { recoveryCodes, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { findActor } from '@/lib/auth/current-actor';
import { requirePage } from '@/lib/auth/page-guard';
import { removePasskey } from '@/lib/auth/passkeys';
import { type Portal, portals } from '@/lib/auth/portals';
import { decodeSessionToken } from '@/lib/auth/session-token';
import { getStaffSessionRules, saveStaffSessionRules, staffSessionKey } from '@/lib/auth/staff-session-rules';
import { disableTotp } from '@/lib/auth/totp';
import { getTwoStepRule, saveTwoStepRule, twoStepKey } from '@/lib/auth/two-step';
import { newId } from '@/lib/ids';
import { methods } from '@/lib/platform/openapi/document';
import { selectSettings } from '@/lib/settings/settings';
import { assignRole } from '@/lib/users/users';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeRole, makeStaff } from '@/tests/factories/make-staff';
import { allActions } from '@/tests/setup/all-actions';
import { appCode } from '@/tests/setup/app-code';
import { bearerOf } from '@/tests/setup/bearer-of';
import { callHandler, inRequest } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const isHandler = (value: unknown): value is Parameters<typeof callHandler>[0] => typeof value === 'function';

const url = 'http://localhost:3000/';
const day = 86_400_000;
const now = () => Math.floor(Date.now() / 1000);

/** Writes the stored rule directly. */
const setRule = (value: unknown) =>
  db().insert(settings).values({ key: twoStepKey, value }).onConflictDoUpdate({ target: settings.key, set: { value } });
const require0 = (...roles: string[]) =>
  setRule({ roles: Object.fromEntries(roles.map((role) => [role, now()])), graceDays: 0 });

/** The actor of a request. */
async function asRequest(userId: string): Promise<Actor> {
  const headers = new Headers(await bearerOf(userId));
  const { actor } = await findActor({ headers, cookies: { get: () => undefined } });
  if (!actor) throw new Error('No session');
  return actor;
}
const dueIn = async (userId: string) => {
  const { twoStepDueAt } = await asRequest(userId);
  return twoStepDueAt && Math.ceil((twoStepDueAt.getTime() - Date.now()) / day - 0.5) + 0;
};

const addPasskeyRow = (userId: string, id = newId()) =>
  db().insert(passkeys).values({
    id,
    userId,
    credentialId: id,
    publicKey: 'none',
    counter: 0,
    transports: [],
    isBackedUp: false,
    name: 'Key',
  });
const turnOnTotp = (userId: string) =>
  db().update(users).set({ totpEnabledAt: new Date(), totpSecret: 'none' }).where(eq(users.id, userId));

afterEach(async () => {
  await db().delete(settings).where(eq(settings.key, twoStepKey));
  await db().delete(settings).where(eq(settings.key, staffSessionKey));
});

describe('after the deadline', () => {
  /** The endpoints to set up a second factor, and to sign out. Sign-out is public. */
  const openRoutes = [
    'GET /api/admin/auth/me',
    'GET /api/auth/reauthenticate',
    'GET /api/seller/auth/me',
    'GET /api/user/auth/me',
    'POST /api/auth/reauthenticate',
  ];
  const openActions = [
    'addPasskeyAction',
    'beginPasskeyAction',
    'beginPasskeyConfirmationAction',
    'beginTwoStepAction',
    'changePasswordAction',
    'confirmTwoStepAction',
    'confirmWithPasskeyAction',
    'endOtherSessionsAction',
    'endSessionAction',
    'renewRecoveryCodesAction',
  ];
  let admin: Actor;
  let seller: Actor;

  beforeEach(async () => {
    admin = await makeAccount({ role: 'Admin' });
    seller = await makeAccount({ role: 'Seller' });
    await require0('Admin', 'Seller', 'User');
  });

  it('every endpoint returns 403 with its code, except those to set up a second factor', async () => {
    const bearers = { admin: await bearerOf(admin.userId), seller: await bearerOf(seller.userId) };
    const open: string[] = [];
    for (const [path, handlers] of Object.entries(paths)) {
      for (const method of methods) {
        const handler = handlers[method];
        if (!handler || !isHandler(handler) || handler.declaration.access === 'public') continue;
        const headers = handler.declaration.access === 'seller' ? bearers.seller : bearers.admin;
        const answer = await callHandler(handler, url + path.slice(1), { method, headers });
        const isClosed = JSON.stringify(answer.body).includes('"code":"two_step_required"') && answer.status === 403;
        if (!isClosed) open.push(`${method} ${path}`);
      }
    }
    expect(open.sort()).toEqual(openRoutes);
  });

  it('every server action is refused likewise', async () => {
    const actions = await allActions();
    const bearers = [await bearerOf(admin.userId), await bearerOf(seller.userId)];
    const open: string[] = [];
    for (const [name, action] of Object.entries(actions)) {
      const unsigned = await inRequest({}, () => action('nonsense'));
      if (unsigned.ok || unsigned.status !== 401) continue;
      let isClosed = false;
      for (const headers of bearers) {
        const answer = await inRequest(headers, () => action('nonsense'));
        if (!answer.ok && answer.code === 'two_step_required') isClosed = true;
      }
      if (!isClosed) open.push(name);
    }
    expect(open.sort()).toEqual(openActions);
  });

  it.each(['user', 'admin', 'seller'] as const)(
    'every page of the %s portal redirects to its Security page',
    async (portal: Portal) => {
      const { access, security } = portals[portal];
      const headers = await bearerOf(portal === 'seller' ? seller.userId : admin.userId);
      await expect(inRequest(headers, () => requirePage(portal, access))).rejects.toMatchObject({
        digest: expect.stringContaining(`;${security};`),
      });
    },
  );

  it('the Security page is available', async () => {
    const opened = await inRequest(await bearerOf(admin.userId), () =>
      requirePage('admin', 'AdminDashboard', { beforeTwoStep: true }),
    );
    expect(opened.userId).toBe(admin.userId);
  });

  it('an authenticator set up in the same session unlocks everything', async () => {
    const headers = await bearerOf(admin.userId);
    const { beginTwoStepAction, confirmTwoStepAction, backupStateAction } = await allActions();
    const call = (action: typeof beginTwoStepAction, input: unknown) => inRequest(headers, async () => action?.(input));
    expect(await call(backupStateAction, {})).toMatchObject({ ok: false, status: 403, code: 'two_step_required' });
    const begun = await call(beginTwoStepAction, { password: testPassword });
    const secret = begun?.ok ? String(Object.getOwnPropertyDescriptor(begun.data, 'secret')?.value) : '';
    expect(await call(confirmTwoStepAction, { code: appCode(secret) })).toMatchObject({ ok: true });
    expect(await call(backupStateAction, {})).toMatchObject({ ok: true });
  });
});

describe('the deadline', () => {
  it('is the grace period after the latest of: the rule, the account, the role', async () => {
    const role = await makeRole(['AdminDashboard']);
    const ago = (days: number) => new Date(Date.now() - days * day);
    const { userId } = await makeAccount({ role, createdAt: ago(100) });
    expect(await dueIn(userId)).toBeNull();
    await setRule({ roles: { [role]: now() - 3 * 86_400 }, graceDays: 7 });
    expect(await dueIn(userId)).toBe(4);
    await db()
      .update(users)
      .set({ createdAt: ago(1) })
      .where(eq(users.id, userId));
    expect(await dueIn(userId)).toBe(6);
    await db()
      .update(users)
      .set({ roleSince: ago(0) })
      .where(eq(users.id, userId));
    expect(await dueIn(userId)).toBe(7);
    await setRule({ roles: { Seller: now() }, graceDays: 7 });
    expect(await dueIn(userId)).toBeNull();
  });

  it('starts again when a user receives the role', async () => {
    const admin = await makeAccount({ role: 'Admin' });
    const { userId } = await makeAccount({ createdAt: new Date(Date.now() - 100 * day) });
    await setRule({ roles: { Seller: 0 }, graceDays: 5 });
    await assignRole(admin, userId, 'Seller');
    expect(await dueIn(userId)).toBe(5);
  });

  it('stays within its bounds, whatever the stored value', async () => {
    const { userId } = await makeAccount();
    for (const [graceDays, days] of [
      [1e9, 90],
      [-5, 0],
      ['soon', 7],
      [null, 7],
    ]) {
      await setRule({ roles: { User: now() }, graceDays });
      expect(await dueIn(userId)).toBe(days);
    }
    for (const value of ['nonsense', 5, [], { roles: 'User' }, { roles: { User: 'now' } }]) {
      await setRule(value);
      expect(await dueIn(userId)).toBeNull();
    }
    await db().execute(
      sql`update settings set value = ${'{"roles":{"User":1e400},"graceDays":1e400}'}::jsonb where key = ${twoStepKey}`,
    );
    expect((await asRequest(userId)).twoStepDueAt).toBeInstanceOf(Date);
  });

  it('does not apply to a user with an authenticator or a passkey', async () => {
    const [app, key] = [await makeAccount(), await makeAccount()];
    await turnOnTotp(app.userId);
    await addPasskeyRow(key.userId);
    await require0('User');
    expect(await dueIn(app.userId)).toBeNull();
    expect(await dueIn(key.userId)).toBeNull();
  });
});

describe('the last second factor', () => {
  async function withBoth() {
    const headers = await bearerOf((await makeAccount()).userId);
    const claims = await decodeSessionToken(headers.authorization?.split(' ')[1] ?? '');
    const actor = { ...(await asRequest(claims?.userId ?? '')), sessionId: claims?.sessionId ?? '' };
    const passkeyId = newId();
    await turnOnTotp(actor.userId);
    await addPasskeyRow(actor.userId, passkeyId);
    await db().insert(recoveryCodes).values({ userId: actor.userId, codeHash: newId() });
    return { actor, passkeyId };
  }

  it('cannot be removed while the role requires one, also within the grace period', async () => {
    const { actor, passkeyId } = await withBoth();
    await setRule({ roles: { User: now() }, graceDays: 90 });
    await removePasskey(actor, passkeyId, testPassword);
    await expect(disableTotp(actor, testPassword)).rejects.toMatchObject({ code: 'conflict' });
    expect(await db().select().from(recoveryCodes).where(eq(recoveryCodes.userId, actor.userId))).toHaveLength(1);
    await db().delete(settings).where(eq(settings.key, twoStepKey));
    await disableTotp(actor, testPassword);
  });

  it('is kept when both are removed concurrently', async () => {
    const { actor, passkeyId } = await withBoth();
    await require0('User');
    const done = await Promise.allSettled([
      removePasskey(actor, passkeyId, testPassword),
      disableTotp(actor, testPassword),
    ]);
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await dueIn(actor.userId)).toBeNull();
  });
});

describe('the rule for two-step sign-in', () => {
  const stored = async () => getTwoStepRule(await selectSettings(db()));

  it("keeps each role's start, is audited, and mailed to admins", async () => {
    const admin = await makeAccount({ role: 'Admin' });
    await saveTwoStepRule(admin, { roles: ['Admin'], graceDays: 7, version: 0 });
    await setRule({ roles: { Admin: 1000 }, graceDays: 7 });
    await saveTwoStepRule(admin, { roles: ['Admin', 'User'], graceDays: 5, version: 1 });
    const { value, version } = await stored();
    expect(value).toEqual({ roles: { Admin: 1000, User: expect.any(Number) }, graceDays: 5 });
    expect(version).toBe(2);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, admin.userId));
    expect(lines.map(({ action }) => action)).toEqual(['two_step.rule_set', 'two_step.rule_set']);
    const notices = await db().select().from(mails).where(eq(mails.recipient, admin.email));
    expect(notices.map(({ subject }) => subject)).toContain('The two-step sign-in rule changed');
    await expect(saveTwoStepRule(admin, { roles: [], graceDays: 5, version: 1 })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(saveTwoStepRule(admin, { roles: ['None'], graceDays: 5, version: 2 })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('is strengthened with ManageSettings, and weakened by an Admin only', async () => {
    const staff = await makeStaff('ManageSettings');
    await saveTwoStepRule(staff, { roles: ['Admin'], graceDays: 7, version: 0 });
    await saveTwoStepRule(staff, { roles: ['Admin', 'Seller'], graceDays: 3, version: 1 });
    const weaker = [
      { roles: ['Admin'], graceDays: 3, version: 2 },
      { roles: ['Admin', 'Seller'], graceDays: 4, version: 2 },
    ];
    for (const input of weaker)
      await expect(saveTwoStepRule(staff, input)).rejects.toMatchObject({ code: 'forbidden' });
    await saveTwoStepRule(await makeAccount({ role: 'Admin' }), { roles: [], graceDays: 4, version: 2 });
    expect((await stored()).value.roles).toEqual({});
  });
});

describe('the session rules of staff', () => {
  it('are shortened with ManageSettings, lengthened by an Admin only, and audited', async () => {
    const [staff, admin] = [await makeStaff('ManageSettings'), await makeAccount({ role: 'Admin' })];
    const save = (actor: Actor, idleMinutes: number, maxHours: number, version: number) =>
      saveStaffSessionRules(actor, { idleMinutes, maxHours, version });
    await save(staff, 10, 8, 0);
    await expect(save(staff, 11, 8, 1)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(save(staff, 5, 9, 1)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(save(admin, 30, 12, 0)).rejects.toMatchObject({ code: 'conflict' });
    await save(admin, 240, 12, 1);
    expect(getStaffSessionRules(await selectSettings(db()))).toMatchObject({
      value: { idleMinutes: 240, maxHours: 12 },
      version: 2,
    });
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, staffSessionKey));
    expect(lines.map(({ action }) => action)).toEqual(['session.rules_set', 'session.rules_set']);
  });

  it.each([
    [{ idleMinutes: '4', maxHours: '12' }],
    [{ idleMinutes: '241', maxHours: '12' }],
    [{ idleMinutes: '30', maxHours: '13' }],
    [{ idleMinutes: '', maxHours: '12' }],
    [{ idleMinutes: '30', maxHours: '1.5' }],
  ])('reject %j', async (rules) => {
    const { saveStaffSessionRulesAction } = await allActions();
    const headers = await bearerOf((await makeAccount({ role: 'Admin' })).userId);
    const answer = await inRequest(headers, async () => saveStaffSessionRulesAction?.({ ...rules, version: 0 }));
    expect(answer).toMatchObject({ ok: false, status: 400 });
  });
});
