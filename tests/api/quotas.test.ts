import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { advisoryLock } from '@/db/advisory-locks';
import { db } from '@/db/client';
import { openSnapshot } from '@/db/snapshot';
import { newId } from '@/lib/ids';
import { limits, unpaginatedLists } from '@/lib/platform/rate-limits/limits';
import { rotatingThird } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeToken } from '@/tests/factories/make-token';
import { spendMoney } from '@/tests/factories/spend-money';
import { openClient } from '@/tests/setup/http-client';
import { startInstances } from '@/tests/setup/instances';
import { examplePath, isGuarded, routes } from './routes';

let instances: Awaited<ReturnType<typeof startInstances>>;
const perMinute = 2;

beforeAll(async () => {
  instances = await startInstances(1, { CHANGES_PER_MINUTE: String(perMinute) });
}, 180_000);

afterAll(() => instances.stop());

/** A user whose requests go to the instance with the small limit. */
async function signedIn(role: 'Admin' | 'Seller' | 'User', email?: string) {
  const client = openClient('', instances.origins[0]);
  const address = email ?? (await makeAccount({ role })).email;
  expect((await client.signIn('user', address)).status).toBe(200);
  return client;
}

const refusal = z.object({ error: z.string().min(20) });

// All endpoints count in one place, so each run asks a third of them.
it('returns 429 with Retry-After at any endpoint above the changes per minute', async () => {
  const [admin, seller] = [await signedIn('Admin'), await signedIn('Seller')];
  for (const client of [admin, seller])
    for (let change = 0; change < perMinute; change++) await client.post('/api/user/projects', {});
  const changes = routes.filter((route) => route.method !== 'GET' && isGuarded(route));
  expect(changes.length).toBeGreaterThan(40);
  const answered: string[] = [];
  for (const { method, path, access } of rotatingThird(changes)) {
    const client = access === 'seller' ? seller : admin;
    const { status, headers, body } = await client.request(examplePath(path), { method });
    const isTold = Number(headers.get('retry-after')) >= 1 && refusal.safeParse(body).success;
    if (status !== 429 || !isTold) answered.push(`${method} ${path}: ${status}`);
  }
  expect(answered).toEqual([]);
  expect((await admin.get('/api/user/auth/me')).status).toBe(200);
});

it('returns 429 with Retry-After to an API token above its limit, also at endpoints that accept no token', async () => {
  const { max, seconds } = limits.token.account;
  const exhausted = async (role: 'Admin' | 'Seller') => {
    const { id, headers } = await makeToken((await makeAccount({ role })).userId, ['read']);
    await db().execute(sql`
      insert into rate_limits (key, count, resets_at)
      values (${`token:account:${id}`}, ${max}, now() + make_interval(secs => ${seconds * 10}))`);
    return headers;
  };
  const [admin, seller] = [await exhausted('Admin'), await exhausted('Seller')];
  const client = openClient('', instances.origins[0]);
  const answered: string[] = [];
  // Public, and counts a token that it is sent.
  const limited = routes.filter((route) => isGuarded(route) || route.path === '/api/openapi.json');
  expect(limited.length).toBeGreaterThan(100);
  for (const { method, path, access } of limited) {
    const sent = { method, headers: access === 'seller' ? seller : admin };
    const { status, headers, body } = await client.request(examplePath(path), sent);
    const isTold = Number(headers.get('retry-after')) >= 1 && refusal.safeParse(body).success;
    if (status !== 429 || !isTold) answered.push(`${method} ${path}: ${status}`);
  }
  expect(answered).toEqual([]);
});

it('limits the imports per day, for sellers, staff and buyers', async () => {
  for (const [role, path] of [
    ['User', '/api/user/projects/1/linked-domains'],
    ['Seller', '/api/seller/sites/upload'],
    ['Seller', '/api/seller/sites/import'],
    ['Admin', '/api/guest-posts/upload'],
  ] as const) {
    const { email, userId } = await makeAccount({ role });
    const client = await signedIn(role, email);
    const { max, seconds } = limits.import.account;
    await db().execute(sql`
      insert into rate_limits (key, count, resets_at)
      values (${`import:account:${userId}`}, ${max}, now() + make_interval(secs => ${seconds}))`);
    // The client's host is this instance; an upload has its own URL.
    const form = new FormData();
    form.append('file', new File(['Name,URL,Price\r\nA,https://a.example.com,10\r\n'], 'sites.csv'));
    const answer = await fetch(`${instances.origins[0]}${path}`, {
      method: 'POST',
      headers: { cookie: client.cookie(), origin: process.env.APP_URL ?? '', 'x-forwarded-for': client.address },
      body: form,
    });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(seconds - 600);
    expect(refusal.parse(await answer.json()).error).toContain('imports');
  }
});

it('limits the concurrent long lists of a user, and serves pages meanwhile', async () => {
  const [staff, vendor] = [await makeAccount({ role: 'Admin' }), await makeAccount({ role: 'Seller' })];
  const buyer = await makeAccount();
  await fundWallet(buyer.userId, 3_000);
  await spendMoney(buyer, 3_000);
  const rows = unpaginatedLists.shortRows + 1;
  await db().execute(sql`
    insert into sites (owner_id, name, url, url_key, domain)
    select ${vendor.userId}, 'site ' || n, 'https://quota-' || n || '.example.com', 'quota-' || n, 'quota-' || n || '.example.com'
    from generate_series(1, ${rows}) n`);
  await db().execute(sql`
    insert into users (id, name, email, password_hash, role, status)
    select ${newId()} || n, 'Person ' || n, 'quota-' || n || '@example.com', '', 'User', 'Active'
    from generate_series(1, ${rows}) n`);
  await db().execute(sql`
    insert into topups (id, account_id, provider, mode, amount_cents, currency, charge_amount_minor, charge_currency, status, expires_at)
    select ${newId()} || n, ${buyer.userId}, 'stripe', 'test', n, 'USD', n, 'USD', 'pending', now() + interval '1 hour'
    from generate_series(1, ${rows}) n`);
  await db().execute(sql`
    insert into orders (account_id, ordered_by, checkout_id, kind, site_id, project_id, price_cents, currency, usd_micros_per_unit,
      charged_cents, project_domain, project_target_url, project_keywords)
    select account_id, ordered_by, checkout_id, kind, site_id, project_id, 0, currency, usd_micros_per_unit, 0, project_domain,
      project_target_url, project_keywords
    from orders cross join generate_series(1, ${rows}) where account_id = ${buyer.userId}`);
  await db().execute(sql`update users set role = 'Admin' where id = ${buyer.userId}`);
  const clients = { staff: await signedIn('Admin', staff.email), vendor: await signedIn('Seller', vendor.email) };
  const withOrders = await signedIn('Admin', buyer.email);
  const lists = [
    [clients.staff, '/api/guest-posts'],
    [clients.staff, '/api/users'],
    [clients.staff, '/api/admin/wallet/transactions?all=1'],
    [clients.staff, '/dashboard/features/guest-posts/export'],
    [clients.staff, '/dashboard/features/orders/export'],
    [clients.staff, '/dashboard/features/audit-logs/export'],
    [clients.staff, '/dashboard/features/payments/settlement/export'],
    [clients.staff, '/dashboard/features/money/export'],
    [clients.vendor, '/seller/earnings/export'],
    [clients.vendor, '/seller/earnings/pdf'],

    [clients.vendor, '/api/seller/sites'],
    [withOrders, '/api/orders'],
    [withOrders, '/user/orders/export'],
    [withOrders, '/user/wallet/export'],
  ] as const;
  const whole: unknown[] = [];
  for (const [client, path] of lists) {
    const { status, body } = await client.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    if (Array.isArray(body)) whole.push(body.length >= rows);
  }
  expect(whole).toEqual(Array(5).fill(true));

  const held = await openSnapshot();
  for (const { userId } of [staff, vendor, buyer])
    for (let slot = 1; slot <= unpaginatedLists.perPerson; slot++)
      await held.on.execute(sql`
        select pg_advisory_xact_lock(${advisoryLock('list-of-person')}::int, hashtext(${userId} || ':' || ${slot}::int))`);
  for (const [client, path] of lists) {
    const { status, headers, body } = await client.get(path);
    expect({ path, status, retry: headers.get('retry-after') }).toEqual({ path, status: 429, retry: '10' });
    expect(refusal.parse(body).error).toContain('limit and offset');
    if (path.startsWith('/api/') && !path.includes('?'))
      expect((await client.get(`${path}?limit=5`)).body).toHaveLength(5);
  }
  // A list opened by HEAD is closed again.
  await held.close();
  for (let again = 0; again < 4; again++) {
    const headers = { cookie: clients.staff.cookie() };
    expect((await fetch(`${instances.origins[0]}/api/guest-posts`, { method: 'HEAD', headers })).status).toBe(200);
  }
});
