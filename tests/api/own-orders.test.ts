import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { packages } from '@/db/schema/packages';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { openClient } from '@/tests/setup/http-client';

/** An order with the field names of the specification's contract. */
const anOrder = z.looseObject({
  id: z.number().int(),
  userId: z.string(),
  createdAt: z.iso.datetime(),
  website: z.string(),
  packageName: z.string(),
  packageDesc: z.string(),
  quantity: z.number().int().min(1),
  price: z.number(),
  currency: z.string(),
  status: z.string(),
  linkUrl: z.string(),
  adminComments: z.string(),
  projectId: z.string(),
  projectDomain: z.string(),
  projectTargetUrl: z.string(),
  projectKeywords: z.string(),
  contentPath: z.string().nullable(),
  content_path: z.string().nullable(),
});
const created = z.object({ orders: z.array(anOrder).min(1) });

const buyer = openClient();
const stranger = openClient();
const admin = openClient();
let buyerId = '';
let sellerId = '';
let projectId = '';
let otherProjectId = '';
let packageId = 0;

beforeAll(async () => {
  const [account, other, staff] = await Promise.all([makeAccount(), makeAccount(), makeAccount({ role: 'Admin' })]);
  buyerId = account.userId;
  sellerId = (await makeAccount({ role: 'Seller' })).userId;
  await fundWallet(buyerId, 1_000_000);
  projectId = await makeProject(account);
  otherProjectId = await makeProject(account, { domain: 'other.example.com' });
  const values = { name: `Bundle ${newId()}`, description: 'Three posts', priceCents: 2_500 };
  packageId = (await db().insert(packages).values(values).returning())[0]?.id ?? 0;
  await buyer.signIn('user', account.email);
  await stranger.signIn('user', other.email);
  await admin.signIn('admin', staff.email);
});

// Leaves the other tests' catalogue unchanged.
afterAll(async () => {
  await db().update(packages).set({ deletedAt: new Date() }).where(eq(packages.id, packageId));
});

const ofPackage = (values: Record<string, unknown> = {}) => ({
  kind: 'package',
  packageId,
  quantity: 1,
  projectId,
  ...values,
});
const order = (body: unknown, headers: Record<string, string> = {}) => buyer.post('/api/orders', body, headers);
const made = (answer: { status: number; body: unknown }) => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return created.parse(answer.body).orders;
};

describe('POST /api/orders', () => {
  it('orders a package in a quantity and charges exactly its price', async () => {
    const before = await getWalletBalance(buyerId);
    const [one] = made(await order(ofPackage({ quantity: 3 })));
    expect(one).toMatchObject({ quantity: 3, price: 75, currency: 'USD', packageDesc: 'Three posts', website: '' });
    expect(one).toMatchObject({ userId: buyerId, projectId, status: 'Pending', contentPath: null, content_path: null });
    expect(await getWalletBalance(buyerId)).toBe(before - 7_500);
  });

  it.each(['', 'many', null])('replaces the quantity %j with one', async (quantity) => {
    expect(made(await order(ofPackage({ quantity })))[0]?.quantity).toBe(1);
  });

  it.each([
    ['quantity', ofPackageWith({ quantity: 0 }), 'Order at least one.'],
    ['quantity', ofPackageWith({ quantity: 1.5 }), 'Use a whole number.'],
    ['projectId', ofPackageWith({ projectId: '' }), 'Select a project.'],
    ['siteIds', () => ({ kind: 'custom', projectId, siteIds: [] }), 'No site selected.'],
  ])('names the invalid field: %s', async (field, body, text) => {
    expect(await order(body())).toMatchObject({ status: 400, body: { error: text, fields: { [field]: text } } });
  });

  it('creates one order per site, and none when one of them is not on sale', async () => {
    const siteIds = [await makeSite(sellerId, 1_000), await makeSite(sellerId, 1_100)];
    expect(made(await order({ kind: 'custom', projectId, siteIds })).map(({ price }) => price)).toEqual([10, 11]);
    const before = await getWalletBalance(buyerId);
    await db()
      .update(sites)
      .set({ status: 'Rejected' })
      .where(eq(sites.id, siteIds[1] ?? 0));
    expect(await order({ kind: 'custom', projectId, siteIds })).toMatchObject({ status: 409 });
    expect(await getWalletBalance(buyerId)).toBe(before);
  });

  it('returns the first response for a repeated Idempotency-Key, and 409 for another request', async () => {
    const headers = { 'Idempotency-Key': newId() };
    const first = await order(ofPackage({ quantity: 2 }), headers);
    expect((await order(ofPackage({ quantity: 2 }), headers)).body).toEqual(first.body);
    expect(await order(ofPackage({ quantity: 4 }), headers)).toMatchObject({
      status: 409,
      body: { fields: { idempotencyKey: expect.any(String) } },
    });
    const many = await Promise.all(
      Array.from({ length: 8 }, () => order(ofPackage(), { 'Idempotency-Key': `${headers['Idempotency-Key']} b` })),
    );
    for (const answer of many) expect(answer).toMatchObject({ status: 201, body: many[0]?.body });
    expect(new Set(many.flatMap((answer) => made(answer).map(({ id }) => id))).size).toBe(1);
  });

  it('charges at most the displayed price', async () => {
    expect(await order(ofPackage({ shownTotalCents: 2_499 }))).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('$25.00, not $24.99') },
    });
    expect(made(await order(ofPackage({ shownTotalCents: 2_500 })))).toHaveLength(1);
  });

  it('returns 402 with the top-up of the missing amount, and creates nothing', async () => {
    const poor = openClient();
    const account = await makeAccount();
    await fundWallet(account.userId, 1_000);
    await poor.signIn('user', account.email);
    const body = ofPackage({ projectId: await makeProject(account), quantity: 2 });
    expect(await poor.post('/api/orders', body)).toMatchObject({
      status: 402,
      body: {
        error: 'This costs $50.00, and your wallet balance is $10.00. Add $40.00 to pay.',
        url: '/user/wallet?topup=40.00',
      },
    });
    expect((await poor.get('/api/orders')).body).toEqual([]);
    expect(await getWalletBalance(account.userId)).toBe(1_000);
  });

  it("rejects another user's project, a missing session and another site", async () => {
    expect(await stranger.post('/api/orders', ofPackage())).toMatchObject({ status: 404 });
    expect(await admin.post('/api/orders', ofPackage())).toMatchObject({ status: 404 });
    expect(await openClient().post('/api/orders', ofPackage())).toMatchObject({ status: 401 });
    const foreign = { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' };
    expect(await order(ofPackage(), foreign)).toMatchObject({ status: 403 });
  });
});

describe('GET /api/orders', () => {
  const list = async (query: string, client = buyer) => {
    const answer = await client.get(`/api/orders${query}`);
    expect(answer.status).toBe(200);
    return { rows: z.array(anOrder).parse(answer.body), total: Number(answer.headers.get('x-total-count')) };
  };

  it("lists the caller's orders newest first, in pages, and all of them without a limit", async () => {
    for (let count = 0; count < 3; count += 1) made(await order(ofPackage()));
    const all = await list('');
    expect(all.rows).toHaveLength(all.total);
    const ids = all.rows.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    const page = await list('?limit=2&offset=1');
    expect(page).toMatchObject({ total: all.total });
    expect(page.rows.map(({ id }) => id)).toEqual(ids.slice(1, 3));
    expect((await list(`?limit=2&offset=${all.total}`)).rows).toEqual([]);
  });

  it('combines filters by status, project and words', async () => {
    const host = `${newId()}.example.com`;
    const siteId = await makeSite(sellerId, 900, { url: `https://${host}` });
    const body = { kind: 'custom', projectId: otherProjectId, siteIds: [siteId] };
    const [first, second] = [made(await order(body))[0], made(await order(body))[0]];
    await admin.request(`/api/admin/orders/${first?.id}`, { method: 'PATCH', body: { status: 'Processing' } });
    const found = async (query: string) => (await list(query)).rows.map(({ id }) => id);
    expect(await found(`?q=${host}`)).toEqual([second?.id, first?.id]);
    expect(await found(`?q=${host}&status=Processing&projectId=${otherProjectId}`)).toEqual([first?.id]);
    expect(await found(`?q=${host}&projectId=${projectId}`)).toEqual([]);
    expect(await found(`?q=%23${second?.id}`)).toEqual([second?.id]);
    expect(await found(`?q=${host}&status=`)).toHaveLength(2);
    expect((await list(`?q=${host}`, stranger)).rows).toEqual([]);
    expect((await list(`?projectId=${otherProjectId}`, stranger)).rows).toEqual([]);
  });

  it.each(['limit=0', 'limit=x', 'offset=-1', 'limit=501', 'status=Lost'])('rejects ?%s', async (query) => {
    expect((await buyer.get(`/api/orders?${query}`)).status).toBe(400);
  });
});

/** Evaluated in the test, because the ids are created after the table of cases. */
function ofPackageWith(values: Record<string, unknown>) {
  return () => ofPackage(values);
}
