import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/users';
import { permissions } from '@/lib/access/permissions';
import { sessionCookieName } from '@/lib/auth/session-token';
import { newId } from '@/lib/ids';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeRole } from '@/tests/factories/make-staff';
import { openClient, type Portal, sessionCookieOf } from '@/tests/setup/http-client';

const portals: Portal[] = ['user', 'admin', 'seller'];
const wrong = { status: 401, body: { error: 'Invalid credentials.' } };

const emails: Record<string, string> = {};
const emailOf = (who: string) => emails[who] ?? '';

beforeAll(async () => {
  const [staff, clerk] = [await makeRole(['AdminDashboard', 'ManageOrders']), await makeRole(['ManageOrders'])];
  for (const [who, role] of Object.entries({ admin: 'Admin', buyer: 'User', seller: 'Seller', staff, clerk })) {
    emails[who] = (await makeAccount({ role })).email;
  }
});

describe('access to the portals', () => {
  it.each([
    { who: 'admin', admitted: ['user', 'admin'] },
    { who: 'buyer', admitted: ['user'] },
    { who: 'seller', admitted: ['user', 'seller'] },
    { who: 'staff', admitted: ['user', 'admin'] },
    // Without AdminDashboard, a permission has no effect.
    { who: 'clerk', admitted: ['user'] },
  ])('$who: $admitted', async ({ who, admitted }) => {
    for (const portal of portals) {
      const client = openClient();
      const answer = await client.signIn(portal, emailOf(who));
      const me = await client.get(`/api/${portal}/auth/me`);
      if (admitted.includes(portal)) {
        expect(answer, portal).toMatchObject({ status: 200, body: { user: { email: emailOf(who) } } });
        expect(me.status, portal).toBe(200);
      } else {
        expect(answer.status, portal).toBe(403);
        expect(client.cookie(), portal).toBe('');
        expect(me.status, portal).toBe(401);
      }
    }
  });

  it("tells a buyer in the admin portal the reason and the account's own sign-in", async () => {
    const answer = await openClient().signIn('admin', emailOf('buyer'));
    expect(answer.body).toEqual({ error: 'Not an admin account.', url: '/user/login' });
  });

  it('accepts the email in any case and with spaces around it', async () => {
    const answer = await openClient().signIn('user', `  ${emailOf('buyer').toUpperCase()} `);
    expect(answer.status).toBe(200);
  });
});

describe('a refused sign-in', () => {
  it('responds alike to a wrong password and an unknown email', async () => {
    const { email } = await makeAccount();
    for (const portal of portals) {
      const known = await openClient().signIn(portal, email, 'not the password');
      const unknown = await openClient().signIn(portal, `${newId()}@example.com`, 'not the password');
      expect(known).toMatchObject(wrong);
      expect(unknown).toMatchObject(wrong);
      expect(namesOf(unknown.headers)).toEqual(namesOf(known.headers));
    }
  });

  it.each([
    { status: 'Pending', says: /verify your email/ },
    { status: 'Suspended', says: /suspended/ },
    { status: 'Expired', says: /expired/ },
  ] as const)('reports that an account is $status only after the correct password', async ({ status, says }) => {
    const { email } = await makeAccount({ status });
    expect(await openClient().signIn('user', email, 'not the password')).toMatchObject(wrong);
    const client = openClient();
    const answer = await client.signIn('user', email);
    expect(answer).toMatchObject({ status: 403, body: { error: expect.stringMatching(says) } });
    expect(client.cookie()).toBe('');
  });

  it('treats a deleted user as unknown', async () => {
    const { email } = await makeAccount({ deletedAt: new Date() });
    expect(await openClient().signIn('user', email)).toMatchObject(wrong);
  });

  it.each([
    { body: {}, field: 'email' },
    { body: { email: 'a@example.com' }, field: 'password' },
    { body: { email: 7, password: 'x' }, field: 'email' },
    { body: { email: 'a@example.com', password: 'x'.repeat(257) }, field: 'password' },
  ])('names the invalid field: $field', async ({ body, field }) => {
    const answer = await openClient().post('/api/user/auth/login', body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.any(String), fields: { [field]: expect.any(String) } },
    });
  });
});

describe('the session', () => {
  it('uses an HttpOnly, SameSite cookie', async () => {
    const answer = await openClient().signIn('user', emailOf('buyer'));
    const lines = answer.headers.getSetCookie();
    for (const line of lines) {
      expect(line).toMatch(/HttpOnly/i);
      expect(line).toMatch(/SameSite=lax/i);
      expect(line).toMatch(/Path=\//);
    }
    // It ends with the browser; the cookie that identifies the device does not.
    const session = lines.filter((line) => line.startsWith(sessionCookieName()));
    expect(session).toHaveLength(1);
    expect(session.join()).not.toMatch(/Max-Age|Expires/i);
  });

  it('lasts 30 days when the user chose to be remembered', async () => {
    const { email, userId } = await makeAccount({ role: 'Seller' });
    const body = { email, password: testPassword, remember: true };
    const answer = await openClient().post('/api/seller/auth/login', body);
    expect(answer.headers.getSetCookie().join()).toMatch(/Max-Age=2592000/);
    const [session] = await db().select().from(sessions).where(eq(sessions.userId, userId));
    const days = ((session?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
  });

  it.each(['/api/user/auth/logout', '/api/auth/logout', '/api/admin/auth/logout', '/api/seller/auth/logout'])(
    'ends at once with %s, for every copy of the cookie',
    async (path) => {
      const client = openClient();
      await client.signIn('user', emailOf('buyer'));
      const kept = openClient(client.cookie());
      expect((await kept.get('/api/user/auth/me')).status).toBe(200);
      expect(await client.post(path)).toMatchObject({ status: 200, body: { ok: true } });
      expect(client.cookie()).toBe('');
      expect((await kept.get('/api/user/auth/me')).status).toBe(401);
    },
  );

  it.each([
    { what: 'suspended', change: { status: 'Suspended' } },
    { what: 'deleted', change: { deletedAt: new Date() } },
  ] as const)('is invalid at the next request of a user who was $what', async ({ change }) => {
    const { email, userId } = await makeAccount();
    const client = openClient();
    await client.signIn('user', email);
    expect((await client.get('/api/user/auth/me')).status).toBe(200);
    await db().update(users).set(change).where(eq(users.id, userId));
    expect((await client.get('/api/user/auth/me')).status).toBe(401);
  });

  it("has the permissions of the user's current role", async () => {
    const { email, userId } = await makeAccount({ role: 'Seller' });
    const client = openClient();
    await client.signIn('seller', email);
    expect((await client.get('/api/seller/auth/me')).status).toBe(200);
    await db().update(users).set({ role: 'User' }).where(eq(users.id, userId));
    expect((await client.get('/api/seller/auth/me')).status).toBe(403);
    expect((await client.get('/api/user/auth/me')).body).toMatchObject({ role: 'User' });
  });

  it('is invalid after its expiry', async () => {
    const { email, userId } = await makeAccount();
    const client = openClient();
    await client.signIn('user', email);
    await db()
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(sessions.userId, userId));
    expect((await client.get('/api/user/auth/me')).status).toBe(401);
  });

  it.each(['nonsense', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', ''])('cannot be created from %j', async (token) => {
    const answer = await openClient(`${sessionCookieName()}=${token}`).get('/api/user/auth/me');
    expect(answer).toMatchObject({ status: 401, body: { error: expect.any(String) } });
  });
});

describe('a bearer token', () => {
  it('is equivalent to the cookie, and ends with it', async () => {
    const client = openClient();
    await client.signIn('user', emailOf('buyer'));
    const headers = { authorization: `Bearer ${client.cookie().split('=')[1]}` };
    const bearer = openClient();
    expect(await bearer.get('/api/user/auth/me', headers)).toMatchObject({
      status: 200,
      body: { email: emailOf('buyer') },
    });
    expect((await bearer.get('/api/admin/auth/me', headers)).status).toBe(403);
    // A browser never sends it automatically, so it needs no origin check.
    const foreign = { ...headers, origin: 'https://elsewhere.example' };
    expect((await bearer.post('/api/user/auth/logout', undefined, foreign)).status).toBe(200);
    expect((await client.get('/api/user/auth/me')).status).toBe(401);
  });
});

describe('a cross-site request', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];

  it.each(foreign)('is refused with the cookie: %j', async (headers) => {
    const client = openClient();
    await client.signIn('user', emailOf('buyer'));
    expect((await client.post('/api/user/auth/logout', undefined, headers)).status).toBe(403);
    expect((await client.get('/api/user/auth/me')).status).toBe(200);
  });

  it.each(foreign)('cannot sign in: %j', async (headers) => {
    const client = openClient();
    const body = { email: emailOf('buyer'), password: testPassword };
    const answer = await client.post('/api/user/auth/login', body, headers);
    expect(answer.status).toBe(403);
    expect(sessionCookieOf(answer.headers)).toBeNull();
  });
});

describe('the current user', () => {
  it('has exactly the fields of the contract, and is not cacheable', async () => {
    const client = openClient();
    await client.signIn('user', emailOf('buyer'));
    const me = await client.get('/api/user/auth/me');
    expect(me.body).toEqual({
      id: expect.any(String),
      name: expect.any(String),
      email: emailOf('buyer'),
      role: 'User',
      status: 'Active',
      permissions: [],
    });
    expect(me.headers.get('cache-control')).toBe('private, no-store');
  });

  it("contains only what the portal's screens read", async () => {
    const [admin, seller] = [openClient(), openClient()];
    await admin.signIn('admin', emailOf('staff'));
    await seller.signIn('seller', emailOf('seller'));
    const staff = await admin.get('/api/admin/auth/me');
    expect(staff.body).toEqual({
      email: emailOf('staff'),
      role: expect.stringMatching(/^Role /),
      permissions: expect.arrayContaining(['AdminDashboard', 'ManageOrders']),
    });
    expect((await seller.get('/api/seller/auth/me')).body).toEqual({ email: emailOf('seller'), role: 'Seller' });
  });

  it('returns 401 without a session and 403 for the wrong role', async () => {
    for (const portal of portals) expect((await openClient().get(`/api/${portal}/auth/me`)).status).toBe(401);
    const client = openClient();
    await client.signIn('user', emailOf('buyer'));
    expect((await client.get('/api/admin/auth/me')).status).toBe(403);
    expect((await client.get('/api/seller/auth/me')).status).toBe(403);
  });

  it("contains a role's permissions, and all of them for an admin", async () => {
    const permissionsOf = async (who: string) => {
      const client = openClient();
      await client.signIn('user', emailOf(who));
      return (await client.get('/api/acl/my-permissions')).body;
    };
    expect(await permissionsOf('admin')).toEqual(permissions);
    expect(await permissionsOf('buyer')).toEqual([]);
    expect(new Set([await permissionsOf('staff')].flat())).toEqual(new Set(['AdminDashboard', 'ManageOrders']));
    expect((await openClient().get('/api/acl/my-permissions')).status).toBe(401);
  });
});

/** Header names without those that every response has. */
function namesOf(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => !['date', 'content-length'].includes(name)).sort();
}
