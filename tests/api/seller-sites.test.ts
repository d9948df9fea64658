import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { ownershipResponse } from '@/lib/sites/ownership/contract';
import { makeAccount } from '@/tests/factories/make-account';
import { makeSite, withFacts } from '@/tests/factories/make-site';
import { openClient } from '@/tests/setup/http-client';
import { publishPage } from '@/tests/setup/publisher';

const mark = newId();
let seller = openClient();
let stranger = openClient();

beforeAll(async () => {
  const owner = await makeAccount({ role: 'Seller' });
  const other = await makeAccount({ role: 'Seller' });
  const site = (ownerId: string, name: string, values: Partial<typeof sites.$inferInsert>) =>
    withFacts({
      ownerId,
      name,
      url: `https://${name.toLowerCase().replaceAll(' ', '-')}.example.com`,
      urlKey: `${name.toLowerCase().replaceAll(' ', '-')}-${mark}.example.com`,
      ...values,
    });
  const priced = { adminPriceCents: 77_777, publicPriceCents: 88_888, publicPriceUsdCents: 88_888 };
  await db()
    .insert(sites)
    .values([
      site(owner.userId, 'Alpha Garden', {
        status: 'Approved',
        sellerPriceCents: 10_050,
        dr: 61,
        niche: 'Gardening',
        ...priced,
      }),
      site(owner.userId, 'Beta Money', {
        status: 'Approved',
        sellerPriceCents: 20_000,
        dr: 12,
        niche: 'Finance',
        ...priced,
      }),
      site(owner.userId, 'Gamma 100% Real', { status: 'Pending', sellerPriceCents: 99_900, country: 'Norway' }),
      site(owner.userId, 'Delta Gone', { status: 'Rejected' }),
      site(owner.userId, 'Deleted Site', { status: 'Approved', sellerPriceCents: 1, deletedAt: new Date() }),
      site(other.userId, 'Foreign Garden', { status: 'Approved', sellerPriceCents: 1 }),
    ]);
  seller = openClient();
  await seller.signIn('seller', owner.email);
  stranger = openClient();
  await stranger.signIn('user', (await makeAccount()).email);
});

describe('records of sellers', () => {
  it('are for the seller, and for staff with ManageOrders, who sort and page them', async () => {
    const none = { record: null, orders: 0, accepted: 0, reliability: null };
    expect(await seller.get('/api/seller/record')).toMatchObject({ status: 200, body: none });
    expect((await stranger.get('/api/seller/record')).status).toBe(403);
    for (const client of [seller, stranger]) expect((await client.get('/api/admin/sellers')).status).toBe(403);
    const admin = openClient();
    await admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
    const page = await admin.get('/api/admin/sellers?sort=reliability&order=desc&limit=1');
    // The demo has a seller with five orders.
    expect(page.body).toMatchObject([{ orders: expect.any(Number), reliability: expect.any(Number) }]);
    expect(Number(page.headers.get('X-Total-Count'))).toBeGreaterThan(1);
    const cursor = page.headers.get('X-Next-Cursor');
    const next = await admin.get(`/api/admin/sellers?sort=reliability&order=desc&limit=1&cursor=${cursor}`);
    expect(next.body).not.toEqual(page.body);
    for (const query of ['sort=email', 'order=up', 'limit=0', 'cursor=here'])
      expect((await admin.get(`/api/admin/sellers?${query}`)).status, query).toBe(400);
  });
});

describe('GET /api/seller/sites/stats', () => {
  it("counts the seller's sites by status and averages the seller price of approved ones", async () => {
    const answer = await seller.get('/api/seller/sites/stats');
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ approved: 2, pending: 1, rejected: 1, avgPrice: 150.25 });
  });
});

describe('GET /api/seller/sites', () => {
  it("lists the seller's sites with the seller price, without margin and public price", async () => {
    const { body, headers } = await seller.get('/api/seller/sites');
    expect(namesIn(body)).toEqual(['Delta Gone', 'Gamma 100% Real', 'Beta Money', 'Alpha Garden']);
    expect(headers.get('x-total-count')).toBe('4');
    expect([body].flat().at(-1)).toEqual({
      id: expect.any(Number),
      name: 'Alpha Garden',
      url: 'https://alpha-garden.example.com',
      dr: 61,
      da: null,
      traffic: null,
      spam: null,
      country: 'USA',
      language: 'English',
      niche: 'Gardening',
      postType: 'Guest posts',
      followType: 'DoFollow',
      price: 100.5,
      currency: 'USD',
      tat: '3 Days',
      status: 'Approved',
      figureSources: expect.objectContaining({ dr: 'seller', traffic: null }),
      ownership: null,
      ownershipMethod: null,
    });
    expect(JSON.stringify(body)).not.toMatch(/777|888|admin|public/i);
  });

  it.each([
    ['garden', ['Alpha Garden']],
    ['FINANCE', ['Beta Money']],
    ['norway', ['Gamma 100% Real']],
    ['beta-money.example', ['Beta Money']],
    // A wildcard matches literally.
    ['0%', ['Gamma 100% Real']],
    ['_', []],
    ['nothing like it', []],
  ])('finds %j in name, URL, niche and country', async (q, expected) => {
    const { body } = await seller.get(`/api/seller/sites?q=${encodeURIComponent(q)}`);
    expect(namesIn(body)).toEqual(expected);
  });

  it('returns pages with the total', async () => {
    const { body, headers } = await seller.get('/api/seller/sites?limit=1&offset=1');
    expect(namesIn(body)).toEqual(['Gamma 100% Real']);
    expect(headers.get('x-total-count')).toBe('4');
  });

  it.each(['limit=0', 'limit=x', 'offset=-1', 'status=Gone'])('rejects ?%s', async (query) => {
    expect((await seller.get(`/api/seller/sites?${query}`)).status).toBe(400);
  });

  it('is for sellers only', async () => {
    for (const path of ['/api/seller/sites', '/api/seller/sites/stats']) {
      expect((await openClient().get(path)).status).toBe(401);
      expect((await stranger.get(path)).status).toBe(403);
    }
  });
});

function namesIn(body: unknown): unknown[] {
  return [body].flat().map((site) => (typeof site === 'object' && site !== null && 'name' in site ? site.name : null));
}

describe('POST /api/seller/sites/{id}/ownership', () => {
  it('returns what proves the domain, checks it, and knows only own sites', async () => {
    const [owner, other] = [await makeAccount({ role: 'Seller' }), await makeAccount({ role: 'Seller' })];
    const clients = { owner: openClient(), other: openClient() };
    await clients.owner.signIn('seller', owner.email);
    await clients.other.signIn('seller', other.email);
    const domain = `${newId()}.example.com`;
    const place = { url: `https://blog.${domain}`, urlKey: `blog.${domain}` };
    const id = await makeSite(owner.userId, 5_000, { ...place, status: 'Pending' });
    const contributed = await makeSite(other.userId, 5_000, place);
    const path = `/api/seller/sites/${id}/ownership`;
    const { status, body } = await clients.owner.post(path);
    const { token, methods } = ownershipResponse.parse(body);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...{ domain, token, state: 'unverified' },
        methods: {
          dns: { name: `_linkmarket.${domain}`, value: `linkmarket-site-verification=${token}` },
          file: {
            url: `https://${domain}/.well-known/linkmarket.txt`,
            content: `linkmarket-site-verification=${token}`,
          },
          meta: { html: `<meta name="linkmarket-site-verification" content="${token}">` },
          adsTxt: { url: `https://${domain}/ads.txt`, line: expect.stringContaining(`, ${token}, DIRECT`) },
        },
      },
    });
    const checked = await clients.owner.post(`${path}/check`);
    expect(checked).toMatchObject({ status: 200, body: { state: 'unverified', method: null } });
    await publishPage({ url: methods.file.url, html: methods.file.content });
    expect((await clients.owner.post(`${path}/check`)).body).toEqual({
      ...{ state: 'verified', method: 'file', problems: [] },
      checkedAt: expect.any(String),
    });
    expect((await clients.owner.get('/api/seller/sites')).body).toMatchObject([
      { id, ownership: 'owner', ownershipMethod: 'file' },
    ]);
    const listed = await clients.other.get('/api/seller/sites');
    expect(listed.body).toMatchObject([{ id: contributed, ownership: 'contributor', ownershipMethod: null }]);
    expect(JSON.stringify(listed.body)).not.toContain(owner.userId);
    for (const asked of [path, `${path}/check`, '/api/seller/sites/999999999/ownership']) {
      expect((await clients.other.post(asked)).status).toBe(404);
      expect((await stranger.post(asked)).status).toBe(403);
    }
    await db().update(sites).set({ deletedAt: new Date() }).where(eq(sites.id, id));
    for (const asked of [path, `${path}/check`]) expect((await clients.owner.post(asked)).status).toBe(404);
  });
});
