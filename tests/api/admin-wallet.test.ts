import { eq, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import type { Permission } from '@/lib/access/permissions';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';
import { makeStaff } from '@/tests/factories/make-staff';
import { spendMoney } from '@/tests/factories/spend-money';
import { appUrl, openClient } from '@/tests/setup/http-client';

const aTransaction = z.looseObject({ id: z.string(), user_id: z.string(), amount_cents: z.number() });
const transactions = z.array(aTransaction);
const people = z.array(z.looseObject({ id: z.string(), balance_cents: z.number() }));

let buyer = openClient();
let admin = openClient();
let buyerId = '';
let buyerEmail = '';

/** A staff user with these permissions. */
async function staff(...granted: Permission[]) {
  const client = openClient();
  await client.signIn('admin', (await makeStaff(...granted)).email);
  return client;
}

beforeAll(async () => {
  const account = await makeAccount({ name: `Wanda ${newId()}` });
  [buyerId, buyerEmail] = [account.userId, account.email];
  [buyer, admin] = [openClient(), openClient()];
  await buyer.signIn('user', account.email);
  await admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
});

const topUp = (body: object, headers?: Record<string, string>, client = admin) =>
  client.post('/api/admin/wallet/topup', { userId: buyerId, currency: 'USD', ...body }, headers);
const remove = (id: string, client = admin) =>
  client.request(`/api/admin/wallet/transaction/${id}`, { method: 'DELETE' });
const balance = async () =>
  z.object({ balance_cents: z.number() }).parse((await buyer.get('/api/wallet/balance')).body).balance_cents;

describe('a manual top-up', () => {
  it('credits the wallet at once, and once per Idempotency-Key', async () => {
    const before = await balance();
    const headers = { 'Idempotency-Key': newId() };
    const first = await topUp({ amount: 25, note: 'Thank you' }, headers);
    expect(first).toMatchObject({
      status: 201,
      body: { user_id: buyerId, amount_cents: 2_500, balance_cents: before + 2_500 },
    });
    expect((await topUp({ amount: 25, note: 'Thank you' }, headers)).body).toEqual(first.body);
    expect((await topUp({ amount: 26, note: 'Thank you' }, headers)).status).toBe(409);
    expect(await balance()).toBe(before + 2_500);
    const own = transactions.parse((await buyer.get('/api/wallet/transactions?limit=1')).body);
    expect(own).toMatchObject([{ type: 'credit', method: 'Manual', note: 'Thank you', status: 'Completed' }]);
  });

  it('requires a user, an amount above 0 and USD', async () => {
    for (const amount of [0, -1, 'ten', null, undefined, 100_001]) {
      expect(await topUp({ amount })).toMatchObject({ status: 400, body: { fields: { amount: expect.any(String) } } });
    }
    expect(await topUp({ amount: 1, userId: '' })).toMatchObject({
      status: 400,
      body: { fields: { userId: 'Choose a user.' } },
    });
    expect((await topUp({ amount: 1, userId: 'unknown' })).status).toBe(404);
    expect((await topUp({ amount: 1, currency: 'EUR' })).status).toBe(400);
  });
});

describe('the transactions of all users', () => {
  it('are listed newest first in pages, with their total and user', async () => {
    await topUp({ amount: 1.23, note: 'Newest' });
    const list = '/api/admin/wallet/transactions?all=1';
    const answer = await admin.get(`${list}&userId=${buyerId}&limit=1`);
    expect(Number(answer.headers.get('x-total-count'))).toBeGreaterThan(1);
    expect(transactions.parse(answer.body)).toMatchObject([
      { user_id: buyerId, user_email: buyerEmail, amount_cents: 123, note: 'Newest', kind: 'manual_topup' },
    ]);
    const everything = await admin.get(`${list}&limit=2`);
    expect(transactions.parse(everything.body)).toHaveLength(2);
    const [own] = transactions.parse((await admin.get(`${list}&userId=${buyerId}&q=newest`)).body);
    expect(own?.note).toBe('Newest');
  });
});

it('without a limit equal their pages concatenated, byte for byte', {
  timeout: 60_000,
}, async () => {
  const { userId } = await makeAccount();
  await db().execute(sql`
    insert into topups (id, account_id, provider, mode, amount_cents, currency, charge_amount_minor, charge_currency, status, expires_at)
    select ${newId()} || lpad(n::text, 6, '0'), ${userId}, 'stripe', 'test', n, 'USD', n, 'USD', 'pending', now() + interval '1 hour'
    from generate_series(1, 6000) as n`);
  const read = async (query: string) => {
    const path = `/api/admin/wallet/transactions?userId=${userId}${query}`;
    const response = await fetch(`${appUrl}${path}`, { headers: { cookie: admin.cookie() } });
    return { text: await response.text(), total: response.headers.get('x-total-count') };
  };
  const [first, second, all] = [await read('&limit=5000'), await read('&limit=5000&offset=5000'), await read('&all=1')];
  expect(all).toEqual({ text: `${first.text.slice(0, -1)},${second.text.slice(1)}`, total: '6000' });
  const last = second.text.slice(second.text.lastIndexOf('{"id"'));
  expect(await read('&all=1&offset=5999')).toEqual({ text: `[${last}`, total: '6000' });
  expect(await read('&all=1&q=nothing+of+the+kind')).toEqual({ text: '[]', total: '0' });
  await db().delete(topups).where(eq(topups.accountId, userId));
});

describe('deleting a transaction', () => {
  it('updates the balance, leaves both lists, and succeeds once', async () => {
    const before = await balance();
    const made = aTransaction.pick({ id: true }).parse((await topUp({ amount: 40 })).body);
    expect(await remove(made.id)).toMatchObject({ status: 200, body: { user_id: buyerId } });
    expect(await balance()).toBe(before);
    for (const path of ['/api/wallet/transactions', '/api/admin/wallet/transactions?all=1']) {
      const client = path.includes('admin') ? admin : buyer;
      expect(transactions.parse((await client.get(path)).body).map((line) => line.id)).not.toContain(made.id);
    }
    expect((await remove(made.id)).status).toBe(404);
    expect((await remove('unknown')).status).toBe(404);
    expect(await admin.post(`/api/admin/wallet/recalc/${buyerId}`)).toMatchObject({
      status: 200,
      body: { user_id: buyerId, balance_cents: before, difference_cents: 0 },
    });
  });

  it('is refused with the reason for spent money and for order payments', async () => {
    const { buyer: spender } = await makeOrder(3_000);
    const lines = transactions.parse(
      (await admin.get(`/api/admin/wallet/transactions?all=1&userId=${spender.userId}`)).body,
    );
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const reason = line.type === 'credit' ? /has spent this money/ : /in Orders/;
      expect(await remove(line.id)).toMatchObject({ status: 409, body: { error: expect.stringMatching(reason) } });
    }
  });
});

describe('recalculation', () => {
  it('requires an existing user', async () => {
    expect((await admin.post('/api/admin/wallet/recalc/unknown')).status).toBe(404);
  });

  it('is refused with the missing amount where an excess was spent', async () => {
    const { buyer: spender } = await makeOrder(3_000);
    const sql = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1 });
    await sql`update ledger.accounts set balance_cents = balance_cents + 2000
      where kind = 'wallet' and owner = ${spender.userId}`;
    await sql.end();
    await spendMoney(spender, 2_000);
    const recalculated = () => admin.post(`/api/admin/wallet/recalc/${spender.userId}`);
    const refusal = await recalculated();
    expect(refusal).toMatchObject({ status: 409, body: { error: expect.stringContaining('$20.00') } });
    await topUp({ amount: 20, userId: spender.userId });
    expect(await recalculated()).toMatchObject({ status: 200, body: { balance_cents: 0, difference_cents: -2_000 } });
  });
});

describe('the users', () => {
  it('are listed with balance and no secrets, at most 500', async () => {
    const answer = await admin.get(`/api/admin/users?limit=500&q=${encodeURIComponent(buyerEmail)}`);
    expect(answer.headers.get('x-total-count')).toBe('1');
    const [own] = people.parse(answer.body);
    expect(own).toEqual({
      kind: 'personal',
      id: buyerId,
      name: expect.stringContaining('Wanda'),
      email: buyerEmail,
      role: 'User',
      status: 'Active',
      balance_cents: await balance(),
    });
    expect((await admin.get('/api/admin/users?limit=501')).status).toBe(400);
  });

  it('are listed for staff whose screens need them', async () => {
    for (const permission of ['ManageWallets', 'ManageUsers', 'ManageOrders'] as const) {
      const { status, body } = await (await staff(permission)).get('/api/admin/users?limit=1');
      expect(status, permission).toBe(200);
      // Balances require ManageWallets.
      const [one] = z.array(z.looseObject({ id: z.string() })).parse(body);
      expect(one && 'balance_cents' in one, permission).toBe(permission === 'ManageWallets');
    }
    expect((await (await staff('ManagePayments')).get('/api/admin/users')).status).toBe(403);
  });
});

it('return 403 without the permission', async () => {
  const other = await staff('ManageOrders', 'ManagePayments');
  const allowed = await staff('ManageWallets');
  const calls = [
    ['GET', '/api/admin/wallet/transactions?all=1'],
    ['POST', '/api/admin/wallet/topup'],
    ['DELETE', '/api/admin/wallet/transaction/unknown'],
    ['POST', `/api/admin/wallet/recalc/${buyerId}`],
  ] as const;
  for (const [method, path] of calls) {
    const body = method === 'GET' ? undefined : {};
    expect((await openClient().request(path, { method, body })).status, path).toBe(401);
    expect((await buyer.request(path, { method, body })).status, path).toBe(403);
    expect((await other.request(path, { method, body })).status, path).toBe(403);
    expect([401, 403]).not.toContain((await allowed.request(path, { method, body })).status);
  }
  expect((await buyer.get('/api/admin/users')).status).toBe(403);
  expect((await openClient().get('/api/admin/users')).status).toBe(401);
});

it('refuses a cross-site change', async () => {
  const answer = await topUp({ amount: 1 }, { origin: 'https://evil.example' });
  expect(answer.status).toBe(403);
});
