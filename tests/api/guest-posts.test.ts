import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { makeSite } from '@/tests/factories/make-site';
import { makeRole } from '@/tests/factories/make-staff';
import { openClient } from '@/tests/setup/http-client';
import { withoutTimes } from '@/tests/setup/without-times';

const list = z.array(z.looseObject({ id: z.number(), name: z.string(), priceUsd: z.number().nullable() }));
const idsOf = (body: unknown) => list.parse(body).map(({ id }) => id);

/** A word that only this file's sites have in their names. */
const word = newId();
const ids: Record<'cheap' | 'dear' | 'pending' | 'unpriced', number> = { cheap: 0, dear: 0, pending: 0, unpriced: 0 };
let ownerId = '';
let buyer = openClient();
let admin = openClient();
let siteDesk = openClient();
let orderDesk = openClient();

beforeAll(async () => {
  const desk = await makeRole(['AdminDashboard', 'ManageSites']);
  const orders = await makeRole(['AdminDashboard', 'ManageOrders']);
  const signedIn = async (role: string) => {
    const client = openClient();
    await client.signIn(role === 'Admin' ? 'admin' : 'user', (await makeAccount({ role })).email);
    return client;
  };
  [buyer, admin, siteDesk, orderDesk] = await Promise.all([
    signedIn('User'),
    signedIn('Admin'),
    signedIn(desk),
    signedIn(orders),
  ]);
  const owner = await makeAccount({ role: 'Seller', name: `Owner ${word}` });
  ownerId = owner.userId;
  const unpriced = { adminPriceCents: null, publicPriceCents: null, publicPriceUsdCents: null };
  ids.cheap = await makeSite(ownerId, 3_000, { name: `${word} cheap`, sellerPriceCents: 1_237, dr: 20 });
  ids.dear = await makeSite(ownerId, 90_000, {
    name: `${word} dear 100%`,
    country: 'India',
    sellerPriceCents: 1_237,
    dr: 70,
    traffic: 2,
  });
  ids.pending = await makeSite(ownerId, 5_000, { name: `${word} pending`, status: 'Pending', ...unpriced });
  ids.unpriced = await makeSite(ownerId, 5_000, { name: `${word} unpriced`, ...unpriced });
});

describe('GET /api/guest-posts as a buyer', () => {
  it('returns approved, priced sites, cheapest first, without seller data', async () => {
    const answer = await buyer.get(`/api/guest-posts?q=${word}`);
    expect(answer.status).toBe(200);
    expect(idsOf(answer.body)).toEqual([ids.cheap, ids.dear]);
    const text = withoutTimes(JSON.stringify(answer.body));
    expect(text).not.toContain(ownerId);
    expect(text).not.toContain('12.37');
    expect(text).not.toMatch(/sellerPrice|adminPrice|userName|ownerId/);
    expect(answer.body).toEqual([
      expect.objectContaining({
        price: 30,
        currency: 'USD',
        priceUsd: 30,
        status: 'Approved',
        tat_days: 3,
        words: 600,
      }),
      expect.objectContaining({ price: 900, dr: 70, da: null }),
    ]);
  });

  it('returns pages with X-Total-Count, and without a limit the whole list without a total', async () => {
    const page = await buyer.get(`/api/guest-posts?q=${word}&limit=1&offset=1`);
    expect(idsOf(page.body)).toEqual([ids.dear]);
    expect(page.headers.get('x-total-count')).toBe('2');
    const whole = await buyer.get('/api/guest-posts');
    expect(whole.headers.get('x-total-count')).toBeNull();
    expect(idsOf(whole.body)).toEqual(expect.arrayContaining([ids.cheap, ids.dear]));
  });

  it.each([
    ['minDr=50', 'dear'],
    ['minDr=49.5&minTraffic=1.5&maxTraffic=2.5', 'dear'],
    ['maxPrice=30', 'cheap'],
    ['minPrice=30.01', 'dear'],
    ['sort=dr&order=desc&limit=1', 'dear'],
    ['sort=price&order=desc&limit=1', 'dear'],
  ] as const)('filters and sorts by %s', async (query, expected) => {
    expect(idsOf((await buyer.get(`/api/guest-posts?q=${word}&${query}`)).body)).toEqual([ids[expected]]);
  });

  it('accepts one country or several, by repeating the parameter', async () => {
    const listed = async (query: string) => idsOf((await buyer.get(`/api/guest-posts?q=${word}&${query}`)).body);
    expect(await listed('country=India')).toEqual([ids.dear]);
    expect(await listed('country=India&country=USA&country=')).toEqual([ids.cheap, ids.dear]);
    const many = Array.from({ length: 51 }, (_, index) => `country=c${index}`).join('&');
    expect((await buyer.get(`/api/guest-posts?${many}`)).status).toBe(400);
  });

  it('counts what each option of the filters would list', async () => {
    const answer = await buyer.get(`/api/guest-posts/counts?q=${word}&country=India`);
    expect(answer.body).toMatchObject({ sites: 1, niche: [{ value: 'General', sites: 1 }] });
    const { country } = z
      .object({ country: z.array(z.object({ value: z.string(), sites: z.number() })) })
      .parse(answer.body);
    expect(country.toSorted((one, other) => (one.value < other.value ? -1 : 1))).toEqual([
      { value: 'India', sites: 1 },
      { value: 'USA', sites: 1 },
    ]);
  });

  it('matches % literally', async () => {
    expect(idsOf((await buyer.get(`/api/guest-posts?q=${encodeURIComponent(`${word} 100%`)}`)).body)).toEqual([
      ids.dear,
    ]);
    expect(
      idsOf((await buyer.get(`/api/guest-posts?q=${encodeURIComponent(`${word.slice(0, 9)}%cheap`)}`)).body),
    ).toEqual([]);
  });

  it.each([
    'minDr=high',
    'limit=0',
    'limit=99999',
    'offset=-1',
    'sort=sellerPriceCents',
    'order=up',
    'ids=1;drop',
    'followType=x',
  ])('rejects %s and names the parameter', async (query) => {
    const answer = await buyer.get(`/api/guest-posts?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ fields: { [query.split('=')[0] ?? '']: expect.any(String) } });
  });

  it('returns a selection by ids, without unlisted sites', async () => {
    const answer = await buyer.get(
      `/api/guest-posts?ids=${[ids.dear, ids.pending, ids.unpriced, ids.cheap].join(',')}`,
    );
    expect(idsOf(answer.body)).toEqual([ids.cheap, ids.dear]);
  });
});

describe('GET /api/guest-posts/{id}', () => {
  it('returns a listing on sale with its figures to buyers and sellers, and every site to staff who manage them', async () => {
    const seller = openClient();
    await seller.signIn('seller', (await makeAccount({ role: 'Seller' })).email);
    const asOf = new Date().toISOString().slice(0, 10);
    const figures = [
      { metric: 'dr', value: 70, source: 'seller', asOf },
      { metric: 'traffic', value: 2, source: 'seller', asOf },
    ];
    for (const client of [buyer, seller, orderDesk]) {
      const { status, body } = await client.get(`/api/guest-posts/${ids.dear}`);
      const [listed] = z.array(z.looseObject({})).parse((await client.get(`/api/guest-posts?ids=${ids.dear}`)).body);
      expect({ status, body }).toEqual({ status: 200, body: { ...listed, figures, record: null, options: [] } });
      const text = withoutTimes(JSON.stringify(body));
      for (const secret of [ownerId, '12.37', `Owner ${word}`]) expect(text).not.toContain(secret);
      for (const id of [ids.pending, ids.unpriced, 999_999_999])
        expect((await client.get(`/api/guest-posts/${id}`)).status).toBe(404);
      expect((await client.get('/api/guest-posts/x')).status).toBe(400);
    }
    expect((await openClient().get(`/api/guest-posts/${ids.dear}`)).status).toBe(401);
    for (const client of [admin, siteDesk]) {
      expect(await client.get(`/api/guest-posts/${ids.dear}`)).toMatchObject({
        status: 200,
        body: { userId: ownerId, price: 12.37, figures, record: null, options: [] },
      });
      expect(await client.get(`/api/guest-posts/${ids.pending}`)).toMatchObject({ status: 200, body: { figures: [] } });
    }
  });
});

describe('GET /api/guest-posts as another user', () => {
  it.each(['admin', 'staff with ManageSites'])('returns %s every site and field', async (who) => {
    const client = who === 'admin' ? admin : siteDesk;
    const answer = await client.get(`/api/guest-posts?q=${word}&sort=name`);
    expect(idsOf(answer.body)).toEqual([ids.cheap, ids.dear, ids.pending, ids.unpriced]);
    expect(answer.body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: ids.cheap,
          price: 12.37,
          adminPrice: 30,
          publicPrice: 30,
          publicCurrency: 'USD',
          userId: ownerId,
          userName: `Owner ${word}`,
        }),
        expect.objectContaining({ id: ids.pending, status: 'Pending', publicPrice: null }),
      ]),
    );
  });

  it("returns staff without ManageSites the buyer's view", async () => {
    const answer = await orderDesk.get(`/api/guest-posts?q=${word}`);
    expect(idsOf(answer.body)).toEqual([ids.cheap, ids.dear]);
    expect(JSON.stringify(answer.body)).not.toContain(ownerId);
  });

  it('returns 401 without a session', async () => {
    expect((await openClient().get('/api/guest-posts')).status).toBe(401);
    expect((await openClient().get('/api/niches-types')).status).toBe(401);
  });
});

describe('GET /api/guest-posts from the cache', () => {
  it("never returns another role's response", async () => {
    const seller = openClient();
    await seller.signIn('seller', (await makeAccount({ role: 'Seller' })).email);
    const clients = { buyer, seller, orderDesk, admin, siteDesk };
    const staff: readonly string[] = ['admin', 'siteDesk'];
    const asks = fc.array(
      fc.record({
        who: fc.constantFrom('buyer', 'seller', 'orderDesk', 'admin', 'siteDesk'),
        query: fc.constantFrom(`q=${word}`, `q=${word}&limit=10`, `q=${word.toUpperCase()}&sort=name&limit=10`),
      }),
      { minLength: 3, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(asks, async (steps) => {
        for (const { who, query } of steps) {
          const answer = await clients[who].get(`/api/guest-posts?${query}`);
          const isStaff = staff.includes(who);
          expect(idsOf(answer.body).toSorted()).toEqual(
            (isStaff ? Object.values(ids) : [ids.cheap, ids.dear]).toSorted(),
          );
          expect(JSON.stringify(answer.body).includes(ownerId)).toBe(isStaff);
          expect(answer.headers.get('cache-control')).toBe(isStaff ? 'private, no-store' : 'private, no-cache');
        }
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  it('returns 304 for a matching ETag, and 401 without a session', async () => {
    const reader = openClient();
    await reader.signIn('user', (await makeAccount({ role: 'User' })).email);
    const path = `/api/guest-posts?q=${word}&limit=10`;
    const first = await reader.get(path);
    const tag = { 'if-none-match': first.headers.get('etag') ?? 'none' };
    const again = await reader.get(path, tag);
    expect({ status: again.status, body: again.body }).toEqual({ status: 304, body: '' });
    await db().update(sites).set({ dr: 21 }).where(eq(sites.id, ids.cheap));
    expect((await reader.get(path, tag)).status).toBe(200);
    const kept = openClient(reader.cookie());
    await reader.request('/api/user/auth/logout', { method: 'POST' });
    expect((await kept.get(path, tag)).status).toBe(401);
  });

  it('returns pages by cursor for buyers', async () => {
    const first = await buyer.get(`/api/guest-posts?q=${word}&limit=1&total=none`);
    expect(idsOf(first.body)).toEqual([ids.cheap]);
    expect(first.headers.get('x-total-count')).toBeNull();
    const cursor = first.headers.get('x-next-cursor') ?? '';
    const second = await buyer.get(`/api/guest-posts?q=${word}&limit=1&cursor=${cursor}`);
    expect(idsOf(second.body)).toEqual([ids.dear]);
    expect(second.headers.get('x-next-cursor')).toBeNull();
    expect((await admin.get(`/api/guest-posts?q=${word}&limit=1&cursor=${cursor}`)).status).toBe(200);
  });
});

describe('GET /api/niches-types', () => {
  it('returns niches, and the post types under both names in tab order', async () => {
    const { status, body } = await buyer.get('/api/niches-types');
    const tabs = ['Guest posts', 'Homepage links', 'Innerpage links', 'Sitewide links'];
    expect(status).toBe(200);
    expect(body).toMatchObject({
      niches: expect.arrayContaining(['General', 'Technology']),
      types: expect.arrayContaining(tabs),
      postTypes: expect.arrayContaining(tabs),
    });
  });
});

describe('/user/marketplace', () => {
  it('renders the rows in the first response, without internal fields', async () => {
    const { status, body } = await buyer.get(`/user/marketplace?q=${word}`);
    expect(status).toBe(200);
    expect(body).toContain(`${word} cheap`);
    expect(body).toContain('$900.00');
    expect(body).not.toContain(`${word} pending`);
    expect(body).not.toContain(ownerId);
    expect(withoutTimes(String(body))).not.toContain('12.37');
  });

  it('shows a list for an invalid URL, and names the ignored parameters', async () => {
    const { status, body } = await buyer.get(`/user/marketplace?q=${word}&minDr=abc&sort=nonsense&page=-3&rows=7`);
    expect(status).toBe(200);
    expect(body).toContain(`${word} cheap`);
    expect(body).toContain('The value “abc” for minimum DR is invalid and was ignored.');
    expect(body).toContain('Unknown sort “nonsense” was ignored.');
  });
});
