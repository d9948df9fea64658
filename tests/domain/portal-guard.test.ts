import { eq } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import { expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { rolePermissions, users } from '@/db/schema/users';
import { portals } from '@/lib/auth/portals';
import { decodeSessionToken, sessionCookieName } from '@/lib/auth/session-token';
import { signIn } from '@/lib/auth/sign-in';
import { middleware } from '@/middleware';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeRole } from '@/tests/factories/make-staff';
import { inRequest, nextHeaders } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

/** Signs a user in at the customers' portal. @returns the token of the cookie */
async function tokenOf(email: string): Promise<string> {
  return inRequest({}, async () => {
    const input = { email, password: testPassword, remember: false, code: '' };
    await signIn('user', input, { ip: '', userAgent: '', requestId: '' });
    return (await nextHeaders.cookies()).get(sessionCookieName())?.value ?? '';
  });
}

/** The homes of the portals that the middleware lets a token pass to; the others redirect to their own sign-in. */
async function homesOf(token: string): Promise<string[]> {
  const open: string[] = [];
  for (const { home, signIn: expected } of Object.values(portals)) {
    const headers = { cookie: `${sessionCookieName()}=${token}` };
    const answer = await middleware(new NextRequest(`http://localhost:3000${home}`, { headers }));
    const location = answer.headers.get('location');
    if (location === null) open.push(home);
    else expect(location).toBe(`http://localhost:3000${expected}?next=${encodeURIComponent(home)}`);
  }
  return open;
}

it.each([
  ['User', ['/user']],
  ['Seller', ['/user', '/seller']],
  ['Admin', ['/user', '/dashboard']],
  ['staff', ['/user', '/dashboard']],
  ['another role', ['/user']],
])('the middleware admits to the portals of the role: %s', async (name, homes) => {
  const granted = { staff: ['AdminDashboard'], 'another role': ['ManageSites'] } as const;
  const role = name === 'staff' || name === 'another role' ? await makeRole(granted[name]) : name;
  const token = await tokenOf((await makeAccount({ role })).email);
  expect(await homesOf(token)).toEqual(homes);
  const named = (await decodeSessionToken(token))?.portals ?? [];
  expect(named.map((portal) => portals[portal].home).sort()).toEqual([...homes].sort());
});

it('admits a session whose user was promoted after the sign-in, or whose role was', async () => {
  const role = await makeRole([]);
  const [promoted, member] = [await makeAccount(), await makeAccount({ role })];
  const [token, other] = [await tokenOf(promoted.email), await tokenOf(member.email)];
  await db().update(users).set({ role: 'Seller' }).where(eq(users.id, promoted.userId));
  await db().insert(rolePermissions).values({ roleName: role, permission: 'AdminDashboard' });
  expect([await homesOf(token), await homesOf(other)]).toEqual([
    ['/user', '/seller'],
    ['/user', '/dashboard'],
  ]);
});

it('leaves a session whose user was demoted, or deleted, to the check of the page', async () => {
  const [demoted, deleted] = [await makeAccount({ role: 'Admin' }), await makeAccount()];
  const [token, other] = [await tokenOf(demoted.email), await tokenOf(deleted.email)];
  await db().update(users).set({ role: 'User' }).where(eq(users.id, demoted.userId));
  await db().update(users).set({ deletedAt: new Date() }).where(eq(users.id, deleted.userId));
  expect([await homesOf(token), await homesOf(other)]).toEqual([['/user', '/dashboard'], ['/user']]);
});
