import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { GET as download } from '@/app/(admin)/dashboard/features/(screens)/backup/[id]/download/route';
import { POST as upload } from '@/app/(admin)/dashboard/features/(screens)/backup/upload/route';
import { POST as createRole } from '@/app/api/acl/[operation]/route';
import { POST as grant, DELETE as revoke } from '@/app/api/acl/roles/[roleName]/permissions/route';
import { DELETE as deleteRole } from '@/app/api/acl/roles/[roleName]/route';
import { POST as assignRole } from '@/app/api/acl/users/[userId]/roles/route';
import { PUT as savePayments } from '@/app/api/admin/payments/[provider]/config/route';
import { POST as savePrivateKey } from '@/app/api/admin/payments/wechat/private-key/route';
import { POST as credit } from '@/app/api/admin/wallet/[operation]/route';
import { GET as readState, POST as reauthenticate } from '@/app/api/auth/reauthenticate/route';
import { DELETE as deleteFeatures, PUT as saveFeatures } from '@/app/api/roles/[id]/route';
import { POST as createFeatures } from '@/app/api/roles/route';
import { DELETE as removeMember, PATCH as updateMember } from '@/app/api/user/accounts/[id]/members/[userId]/route';
import { POST as inviteMember } from '@/app/api/user/accounts/[id]/members/route';
import { DELETE as deleteTeam } from '@/app/api/user/accounts/[id]/route';
import { PUT as savePerson, PATCH as setRole } from '@/app/api/users/[id]/route';
import { POST as createPerson } from '@/app/api/users/route';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { settings } from '@/db/schema/settings';
import { sessions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { decodeSessionToken } from '@/lib/auth/session-token';
import { staffSessionKey } from '@/lib/auth/staff-session-rules';
import { newId } from '@/lib/ids';
import { limits } from '@/lib/platform/rate-limits/limits';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeStaff } from '@/tests/factories/make-staff';
import { allActions } from '@/tests/setup/all-actions';
import { bearerOf } from '@/tests/setup/bearer-of';
import { callHandler, inRequest } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

/** Every action that requires a recent authentication. */
const protectedActions = [
  'acceptPaymentAction',
  'approveAction',
  'approvePayoutsAction',
  'confirmReturnAction',
  'connectSlackAction',
  'createBackupAction',
  'createCommissionRuleAction',
  'createTelegramCodeAction',
  'deleteBackupAction',
  'deleteCommissionRuleAction',
  'requestTwoStepResetAction',
  'resendInvitationAction',
  'restoreBackupAction',
  'saveBackupScheduleAction',
  'saveDeliveryProviderAction',
  'savePayoutRulesAction',
  'saveStaffSessionRulesAction',
  'saveTwoStepRuleAction',
  'setApprovalLimitAction',
  'setAuditHeadAction',
  'startViewAction',
  'updateCommissionRuleAction',
];

const url = 'http://localhost:3000/';
/** The last word of the URL selects a route of a joined file. */
const words = new Map<unknown, string>([
  [createRole, 'roles'],
  [credit, 'topup'],
]);
let admin: Actor;
let other: Actor;
let headers: Record<string, string>;
let sessionId: string;

/** A session whose password was entered this many seconds ago. */
async function openSession(userId: string, secondsAgo: number) {
  const bearer = await bearerOf(userId);
  const claims = await decodeSessionToken(bearer.authorization?.split(' ')[1] ?? '');
  await typedBefore(claims?.sessionId ?? '', secondsAgo);
  return { headers: bearer, sessionId: claims?.sessionId ?? '' };
}

const typedBefore = (id: string, seconds: number) =>
  db()
    .update(sessions)
    .set({ authenticatedAt: sql`now() - make_interval(secs => ${seconds})` })
    .where(eq(sessions.id, id));

beforeAll(async () => {
  other = await makeAccount();
});

beforeEach(async () => {
  admin = await makeAccount({ role: 'Admin' });
  ({ headers, sessionId } = await openSession(admin.userId, 301));
});

const refused = {
  status: 403,
  body: { code: 'reauthentication_required', error: 'Confirm your password to continue.' },
};

describe('five minutes after the password was entered', () => {
  const none = { id: newId(), roleName: 'None', provider: 'stripe' };
  it.each([
    ['a backup cannot be downloaded', download, 'GET', undefined],
    ['an archive cannot be uploaded', upload, 'POST', undefined],
    ['a role cannot be created', createRole, 'POST', { name: 'Another' }],
    ['a role cannot be deleted', deleteRole, 'DELETE', undefined],
    ['a permission cannot be granted', grant, 'POST', { permName: 'ManageSites' }],
    ['a permission cannot be revoked', revoke, 'DELETE', { permName: 'ManageSites' }],
    ['features cannot be given', createFeatures, 'POST', {}],
    ['features cannot be changed', saveFeatures, 'PUT', {}],
    ['features cannot be taken', deleteFeatures, 'DELETE', undefined],
    ['payment keys cannot be changed', savePayments, 'PUT', { secret_key: 'sk_test_1' }],
    ['a private key cannot be stored', savePrivateKey, 'POST', undefined],
    ['a wallet cannot be credited by hand', credit, 'POST', { userId: none.id, amount: 1 }],
    ['a person with a password cannot be added', createPerson, 'POST', {}],
    ['a person cannot be invited to an account', inviteMember, 'POST', {}],
    ['a member of an account cannot be changed', updateMember, 'PATCH', {}],
    ['a member of an account cannot be removed', removeMember, 'DELETE', undefined],
    ['a team cannot be deleted', deleteTeam, 'DELETE', undefined],
  ] as const)('%s', async (_, handler, method, body) => {
    const address = url + (words.get(handler) ?? '');
    expect(await callHandler(handler, address, { method, headers, params: none, body })).toMatchObject(refused);
  });

  it.each([
    ['role', { role: 'Seller' }],
    ['password', { password: 'a new and long password' }],
    ['email', { email: 'taken.over@example.com' }],
  ])('the %s of another user cannot be changed, but the name can', async (_, body) => {
    const params = { id: other.userId };
    expect(await callHandler(savePerson, url, { method: 'PUT', headers, params, body })).toMatchObject(refused);
    const renamed = await callHandler(savePerson, url, {
      method: 'PUT',
      headers,
      params,
      body: { name: 'Renamed', email: other.email, role: 'User' },
    });
    expect(renamed.status).toBe(200);
    const [row] = await db().select().from(users).where(eq(users.id, other.userId));
    expect(row).toMatchObject({ email: other.email, role: 'User', name: 'Renamed' });
  });

  it('neither endpoint changes a role', async () => {
    const params = { id: other.userId, userId: other.userId };
    const patch = await callHandler(setRole, url, { method: 'PATCH', headers, params, body: { role: 'Seller' } });
    expect(patch).toMatchObject(refused);
    const assign = { method: 'POST', headers, params, body: { roleName: 'Seller' } };
    expect(await callHandler(assignRole, url, assign)).toMatchObject(refused);
  });

  it('exactly the listed server actions are refused', async () => {
    const found: string[] = [];
    for (const [name, action] of Object.entries(await allActions())) {
      const answer = await inRequest(headers, () => action('nonsense'));
      if (!answer.ok && answer.code === 'reauthentication_required') found.push(name);
    }
    expect(found.sort()).toEqual(protectedActions);
  });

  it('redirects a browser that opens a backup link to the password page', async () => {
    const navigating = { ...headers, accept: 'text/html,*/*' };
    const path = `dashboard/features/backup/${none.id}/download`;
    const answer = await callHandler(download, url + path, { headers: navigating, params: { id: none.id } });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`${url}dashboard/confirm?next=${encodeURIComponent(`/${path}`)}`);
  });

  it('a caller without the permission gets only that error', async () => {
    const staff = await openSession((await makeStaff('ManageSites')).userId, 301);
    const answer = await callHandler(createRole, `${url}roles`, {
      method: 'POST',
      headers: staff.headers,
      body: { name: 'X' },
    });
    expect(answer).toMatchObject({ status: 403, body: { error: 'You do not have permission to do this.' } });
  });
});

describe('entering the password again', () => {
  const type = (password: unknown, from = headers) =>
    callHandler(reauthenticate, url, { method: 'POST', headers: from, body: { password } });
  const create = (from = headers) =>
    callHandler(createRole, `${url}roles`, { method: 'POST', headers: from, body: { name: `Role ${newId()}` } });

  it('allows it for five minutes in this session only, and is audited', async () => {
    const second = await openSession(admin.userId, 301);
    expect((await callHandler(readState, url, { headers })).body).toEqual({ email: admin.email, isRecent: false });
    expect((await type(testPassword)).status).toBe(200);
    expect((await callHandler(readState, url, { headers })).body).toEqual({ email: admin.email, isRecent: true });
    expect((await create()).status).toBe(201);
    expect(await create(second.headers)).toMatchObject(refused);
    await typedBefore(sessionId, 299);
    expect((await create()).status).toBe(201);
    await typedBefore(sessionId, 301);
    expect(await create()).toMatchObject(refused);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, admin.userId));
    expect(lines.filter(({ action }) => action === 'session.reauthenticated')).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain(testPassword);
  });

  it('is refused with a wrong one, and rate-limited for the correct one too', async () => {
    for (let tries = 0; tries < limits.password.pair.max; tries += 1) {
      expect(await type('wrong')).toMatchObject({ status: 400, body: { fields: { password: expect.any(String) } } });
    }
    expect((await type(testPassword)).status).toBe(429);
    expect(await create()).toMatchObject(refused);
  });

  it('has no effect for an ended session', async () => {
    await db().update(sessions).set({ endedAt: new Date() }).where(eq(sessions.id, sessionId));
    expect((await type(testPassword)).status).toBe(401);
  });
});

describe('a staff session', () => {
  const state = (from: Record<string, string>) => callHandler(readState, url, { headers: from });
  const shift = (id: string, moment: 'lastSeenAt' | 'createdAt', minutes: number) =>
    db()
      .update(sessions)
      .set({ [moment]: sql`now() - make_interval(mins => ${minutes})` })
      .where(eq(sessions.id, id));

  it.each([
    ['lastSeenAt', 29, 31],
    ['createdAt', 719, 721],
  ] as const)(
    "ends permanently by %s, with one audit line; a buyer's session continues",
    async (moment, before, after) => {
      const staff = await makeStaff('ManageSites');
      const session = await openSession(staff.userId, 0);
      await shift(session.sessionId, moment, before);
      expect((await state(session.headers)).status).toBe(200);
      await shift(session.sessionId, moment, after);
      const answers = await Promise.all([1, 2, 3].map(() => state(session.headers)));
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
      await shift(session.sessionId, moment, 0);
      expect((await state(session.headers)).status).toBe(401);
      const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, staff.userId));
      expect(lines.map(({ action }) => action)).toEqual(['session.timed_out']);

      const buyer = await openSession((await makeAccount()).userId, 0);
      await shift(buyer.sessionId, moment, after);
      expect((await state(buyer.headers)).status).toBe(200);
    },
  );

  it('is as short as the setting, with the default for an invalid stored value', async () => {
    const session = await openSession(admin.userId, 0);
    const set = (value: unknown) =>
      db()
        .insert(settings)
        .values({ key: staffSessionKey, value })
        .onConflictDoUpdate({ target: settings.key, set: { value } });
    for (const value of [{ idleMinutes: 'soon' }, 'nonsense', { idleMinutes: 10, maxHours: 1 }]) {
      await set(value);
      await shift(session.sessionId, 'lastSeenAt', 11);
      expect((await state(session.headers)).status).toBe(typeof value === 'object' && 'maxHours' in value ? 401 : 200);
    }
    await db().delete(settings).where(eq(settings.key, staffSessionKey));
  });

  it('never exceeds the bounds, whatever the stored value', async () => {
    const session = await openSession(admin.userId, 0);
    await db()
      .insert(settings)
      .values({ key: staffSessionKey, value: { idleMinutes: 1e9, maxHours: 1e9 } });
    await shift(session.sessionId, 'lastSeenAt', 239);
    expect((await state(session.headers)).status).toBe(200);
    await shift(session.sessionId, 'createdAt', 721);
    expect((await state(session.headers)).status).toBe(401);
    const idle = await openSession(admin.userId, 0);
    await shift(idle.sessionId, 'lastSeenAt', 241);
    expect((await state(idle.headers)).status).toBe(401);
    await db()
      .update(settings)
      .set({ value: { idleMinutes: -1, maxHours: -1 } })
      .where(eq(settings.key, staffSessionKey));
    const short = await openSession(admin.userId, 0);
    expect((await state(short.headers)).status).toBe(200);
    await db().delete(settings).where(eq(settings.key, staffSessionKey));
  });

  it("is extended by the user's requests, not by background requests of the page", async () => {
    const session = await openSession(admin.userId, 0);
    const seenMinutesAgo = async () => {
      const minutes = sql<number>`round(extract(epoch from now() - ${sessions.lastSeenAt}) / 60)::int`;
      return (await db().select({ minutes }).from(sessions).where(eq(sessions.id, session.sessionId)))[0]?.minutes;
    };
    await shift(session.sessionId, 'lastSeenAt', 20);
    const { backupStateAction } = await allActions();
    expect((await inRequest(session.headers, async () => backupStateAction?.({})))?.ok).toBe(true);
    expect(await seenMinutesAgo()).toBe(20);
    await state(session.headers);
    expect(await seenMinutesAgo()).toBe(0);
  });
});
