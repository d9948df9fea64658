import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { rolePermissions, roles } from '@/db/schema/users';
import { newId } from '@/lib/ids';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { spendMoney } from '@/tests/factories/spend-money';
import { appUrl, openClient } from '@/tests/setup/http-client';

const emails: Record<string, string> = {};

beforeAll(async () => {
  const staff = `Staff ${newId()}`;
  await db().insert(roles).values({ name: staff });
  await db().insert(rolePermissions).values({ roleName: staff, permission: 'AdminDashboard' });
  for (const [who, role] of Object.entries({ admin: 'Admin', buyer: 'User', seller: 'Seller', staff })) {
    emails[who] = (await makeAccount({ role })).email;
  }
});

async function clientOf(who: string) {
  const client = openClient();
  if (who !== 'visitor') await client.signIn('user', emails[who] ?? '');
  return client;
}

/** The redirect's path and `next`, or the status without a redirect. */
async function leadsTo(who: string, path: string): Promise<string | number> {
  const { status, headers } = await (await clientOf(who)).get(path);
  const location = headers.get('location');
  if (!location) return status;
  const { pathname, search } = new URL(location, appUrl);
  return pathname + decodeURIComponent(search);
}

describe('the separation of the portals', () => {
  it.each([
    ['visitor', '/dashboard', '/admin/login?next=/dashboard'],
    ['visitor', '/user', '/user/login?next=/user'],
    ['visitor', '/seller/my-sites?q=a', '/seller/login?next=/seller/my-sites?q=a'],
    ['buyer', '/dashboard', '/admin/login?next=/dashboard'],
    ['buyer', '/seller', '/seller/login?next=/seller'],
    ['seller', '/dashboard', '/admin/login?next=/dashboard'],
    ['buyer', '/user', 200],
    ['buyer', '/user/dashboard', 200],
    ['seller', '/seller', 200],
    ['seller', '/seller/my-sites', 200],
    ['admin', '/dashboard', 200],
    ['staff', '/dashboard', 200],
    ['visitor', '/', '/user/login'],
    ['visitor', '/login', '/user/login'],
  ])('%s at %s: %s', async (who, path, expected) => {
    expect(await leadsTo(who, path)).toBe(expected);
  });

  it.each([
    ['buyer', '/dashboard'],
    ['buyer', '/seller'],
    ['seller', '/dashboard'],
  ])('is enforced by the middleware before the page: %s at %s', async (who, path) => {
    const { headers } = await (await clientOf(who)).get(path);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  });
});

describe('a sign-in page', () => {
  it.each([
    ['buyer', '/user/login', '/user'],
    ['admin', '/admin/login', '/dashboard'],
    ['staff', '/admin/login', '/dashboard'],
    ['seller', '/seller/login', '/seller'],
    // The home page instead of `next`, which may be the page that refused them.
    ['staff', '/admin/login?next=/dashboard/features/audit-logs', '/dashboard'],
    ['buyer', '/admin/login', 200],
    ['buyer', '/seller/login', 200],
    ['visitor', '/user/login?next=//evil.example', 200],
  ])('%s at %s: %s', async (who, path, expected) => {
    expect(await leadsTo(who, path)).toBe(expected);
  });

  it('contains a demo account in the demo only', async () => {
    const { body } = await openClient().get('/user/login');
    expect(String(body)).toContain('Sign in');
    expect(String(body).includes('DemoPassw0rd!')).toBe(process.env.APP_ENV === 'demo');
  });

  it('has the page metadata of the product', async () => {
    const { body } = await openClient().get('/user/login');
    for (const words of [
      'Stripe',
      'PayPal',
      'WeChat Pay',
      'DA/DR',
      'traffic and keyword metrics',
      '20+ countries',
      'under 60 seconds',
    ]) {
      expect(String(body)).toContain(words);
    }
  });
});

describe('a list with a page past its last one', () => {
  it.each(['/dashboard/features/users', '/dashboard/features/audit-logs', '/dashboard/features/wallet-manager'])(
    '%s says so, and links to the last page',
    async (path) => {
      const { status, body } = await (await clientOf('admin')).get(`${path}?page=90`);
      expect(status).toBe(200);
      expect(String(body)).toContain('This page is empty');
      expect(String(body)).toMatch(/<a[^>]*href="[^"]*"[^>]*>Go to the last page/);
    },
  );

  it('shows the last page instead of skipping more than 10,000 rows', async () => {
    const { status, body } = await (await clientOf('admin')).get('/dashboard/features/audit-logs?page=99999');
    expect(status).toBe(200);
    expect(String(body)).toMatch(/last <!-- -->\d+|last \d+/);
  });
});

describe('the page of a record', () => {
  const unknownId = '01jd0000000000000000000000';
  const missing: [who: string, paths: string[]][] = [
    [
      'buyer',
      [
        `/user/projects/${unknownId}`,
        '/user/projects/no-id',
        '/user/orders/2147483647/invoice',
        '/user/orders/no-id/invoice',
        `/user/wallet/wechat/${unknownId}`,
        '/user/wallet/wechat/no-id',
      ],
    ],
    ['seller', ['/seller/orders/2147483647', '/seller/orders/no-id']],
    ['admin', [`/dashboard/features/users/${unknownId}`, '/dashboard/features/users/no-id']],
  ];

  it.each(missing)('returns 404 for an unknown one: %s', async (who, paths) => {
    const client = await clientOf(who);
    for (const path of paths) {
      const { status, body } = await client.get(path);
      expect(status, path).toBe(404);
      expect(String(body), path).toContain('<title>Page not found');
    }
  });

  it("returns 404 for another user's", async () => {
    const account = await makeAccount();
    await fundWallet(account.userId, 1_000);
    const [orderId, projectId] = [await spendMoney(account, 1_000), await makeProject(account)];
    const [client, owner] = [await clientOf('buyer'), openClient()];
    await owner.signIn('user', account.email);
    for (const path of [`/user/projects/${projectId}`, `/user/orders/${orderId}/invoice`]) {
      expect((await client.get(path)).status, path).toBe(404);
      expect((await owner.get(path)).status, path).toBe(200);
    }
  });
});
