import { describe, expect, it, vi } from 'vitest';
import { findHome } from '@/lib/auth/portal-home';
import { loginRoute } from '@/lib/auth/portal-routes';
import type { Portal } from '@/lib/auth/portals';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeRole } from '@/tests/factories/make-staff';
import { joinTeam, makeTeam } from '@/tests/factories/make-team';
import { callHandler } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const signIn = (portal: Portal, email: string) =>
  callHandler(loginRoute(portal), `http://localhost:3000/api/${portal}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: { email, password: testPassword },
  });

describe('the portal that opens after a sign-in', () => {
  it.each([
    { role: 'User', portal: 'user', home: '/user' },
    { role: 'Seller', portal: 'seller', home: '/seller' },
    { role: 'Seller', portal: 'user', home: '/seller' },
    { role: 'Admin', portal: 'admin', home: '/dashboard' },
    { role: 'Admin', portal: 'user', home: '/user' },
  ] as const)('of a new $role at the sign-in of the $portal portal is $home', async ({ role, portal, home }) => {
    const { email } = await makeAccount({ role });
    expect(await signIn(portal, email)).toMatchObject({ status: 200, body: { user: { email }, home } });
  });

  it('is the customer area for a seller who has a project, a wallet or a team', async () => {
    const makeSeller = () => makeAccount({ role: 'Seller' });
    const [planning, paying, joined] = [await makeSeller(), await makeSeller(), await makeSeller()];
    await makeProject(planning);
    await fundWallet(paying.userId, 100);
    await joinTeam(joined, await makeTeam(), 'buyer');
    for (const seller of [planning, paying, joined]) expect(await findHome('user', seller)).toBe('/user');
    expect(await findHome('seller', planning)).toBe('/seller');
  });

  it('is named when the account has no access to the portal, also after the correct password only', async () => {
    const staff = await makeRole(['AdminDashboard', 'ManageOrders']);
    for (const [role, portal, url] of [
      ['User', 'seller', '/user/login'],
      ['User', 'admin', '/user/login'],
      ['Seller', 'admin', '/seller/login'],
      [staff, 'seller', '/admin/login'],
    ] as const) {
      const { email } = await makeAccount({ role });
      expect(await signIn(portal, email), `${role} at ${portal}`).toMatchObject({ status: 403, body: { url } });
      const answer = await callHandler(loginRoute(portal), `http://localhost:3000/api/${portal}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: { email, password: 'not the password' },
      });
      expect(answer).toMatchObject({ status: 401, body: { error: 'Invalid credentials.' } });
      expect(answer.body).not.toHaveProperty('url');
    }
  });
});
