import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { makeSite } from '@/tests/factories/make-site';
import { makeRole } from '@/tests/factories/make-staff';
import { openClient, type Portal } from '@/tests/setup/http-client';

const mark = newId().toLowerCase();
const made = z.looseObject({ id: z.number(), version: z.number() });
const url = (name: string) => `https://${name}-${mark}.example.com`;
let [admin, siteDesk, orderDesk, buyer, seller] = Array.from({ length: 5 }, () => openClient());
let sellerId = '';

beforeAll(async () => {
  const desk = await makeRole(['AdminDashboard', 'ManageSites']);
  const orders = await makeRole(['AdminDashboard', 'ManageOrders']);
  const signedIn = async (role: string, portal: Portal) => {
    const client = openClient();
    const account = await makeAccount({ role });
    await client.signIn(portal, account.email);
    if (role === 'Seller') sellerId = account.userId;
    return client;
  };
  [admin, siteDesk, orderDesk, buyer, seller] = await Promise.all([
    signedIn('Admin', 'admin'),
    signedIn(desk, 'user'),
    signedIn(orders, 'user'),
    signedIn('User', 'user'),
    signedIn('Seller', 'seller'),
  ]);
});

const writes: [string, string, unknown][] = [
  ['POST', '/api/guest-posts', { url: url('role'), name: 'Role' }],
  ['PUT', '/api/guest-posts/1', { name: 'Role' }],
  ['DELETE', '/api/guest-posts/1', undefined],
  ['POST', '/api/niches-types', { type: 'niche', name: `Role ${mark}` }],
  ...['niche', 'type', 'api/niche', 'api/type'].map((path): [string, string, unknown] => [
    'DELETE',
    `/api/niches-types/${path}/General`,
    undefined,
  ]),
  ['GET', '/dashboard/features/guest-posts/export', undefined],
];

describe.each(writes)('%s %s', (method, path, body) => {
  it('requires staff with ManageSites', async () => {
    const as = (client: ReturnType<typeof openClient> | undefined) =>
      (client ?? openClient()).request(path, { method, body });
    // Below the portal, a visitor is redirected to the sign-in page.
    expect((await as(undefined)).status).toBe(path.startsWith('/api/') ? 401 : 307);
    for (const client of [buyer, seller, orderDesk]) expect((await as(client)).status).toBe(403);
  });
});

describe('a site', () => {
  it('is created, read, updated with its version and deleted by staff', async () => {
    for (const client of [admin, siteDesk]) {
      const address = url(`life-${newId().toLowerCase()}`);
      const body = {
        url: address,
        name: `Life ${mark}`,
        price: 40,
        publicPrice: '55.5',
        status: 'Approved',
        userId: sellerId,
      };
      const added = await client?.post('/api/guest-posts', body);
      expect(added).toMatchObject({
        status: 201,
        body: { url: address, price: 40, publicPrice: 55.5, priceUsd: 55.5, userId: sellerId, version: 1 },
      });
      const { id } = made.parse(added?.body);
      const path = `/api/guest-posts/${id}`;
      expect(await client?.get(path)).toMatchObject({ status: 200, body: { id } });
      const save = (name: string) => client?.request(path, { method: 'PUT', body: { name, version: 1 } });
      expect(await save('First')).toMatchObject({
        status: 200,
        body: { name: 'First', publicPrice: 55.5, version: 2 },
      });
      expect(await save('Second')).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('another user') },
      });
      const again = await client?.post('/api/guest-posts', { ...body, url: `${address}/#again` });
      expect(again).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('already list'), fields: { url: expect.any(String) } },
      });
      expect(await client?.request(path, { method: 'DELETE' })).toMatchObject({ status: 200 });
      expect(await client?.request(path, { method: 'DELETE' })).toMatchObject({ status: 404 });
    }
  });

  it.each([
    [{ name: 'No address' }, 'url'],
    [{ url: 'a.example.com' }, 'name'],
    [{ url: 'javascript:alert(1)', name: 'x' }, 'url'],
    [{ url: 'a.example.com', name: 'x', dr: 'high' }, 'dr'],
  ])('is rejected as %j', async (body, field) => {
    const answer = await admin?.post('/api/guest-posts', body);
    expect(answer).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
  });

  it('is counted in the staff list as its filter requires', async () => {
    await makeSite(sellerId, 1_000, { name: `Counted ${mark}` });
    const ask = async (query: string) =>
      (await admin?.get(`/api/guest-posts?limit=1&q=counted+${mark}${query}`))?.headers;
    expect((await ask(''))?.get('x-total-count')).toBe('1');
    expect((await ask('&total=capped'))?.get('x-total-count')).toBe('1');
    expect((await ask('&total=none'))?.has('x-total-count')).toBe(false);
  });

  it.each(['abc', '0', '99999999999', '1;drop'])('returns not found or an error for the id %s', async (id) => {
    const answer = await admin?.request(`/api/guest-posts/${encodeURIComponent(id)}`, {
      method: 'PUT',
      body: { name: 'x' },
    });
    expect(answer?.status).toBe(400);
  });
});

describe('POST /api/seller/sites', () => {
  const body = { name: `Own ${mark}`, country: 'Norway', niche: 'Gardening', price: 12.5, dr: 30, da: '' };

  it('creates a Pending site, ignoring other fields, and returns only the seller price', async () => {
    const forged = { status: 'Approved', adminPrice: 1.11, publicPrice: 2.22, userId: 'other-user' };
    const added = await seller?.post('/api/seller/sites', { ...body, ...forged, url: url('own') });
    expect(added).toMatchObject({ status: 201, body: { status: 'Pending', price: 12.5, dr: 30, da: null } });
    expect(JSON.stringify(added?.body)).not.toMatch(/admin|public|1\.11|2\.22/i);
    const again = await seller?.post('/api/seller/sites', { ...body, url: url('own').toUpperCase() });
    expect(again).toMatchObject({ status: 409, body: { error: expect.stringContaining('already list') } });
    const listed = await buyer?.get(`/api/guest-posts?q=own-${mark}`);
    expect(listed?.body).toEqual([]);
  });

  it('names missing fields', async () => {
    const answer = await seller?.post('/api/seller/sites', {});
    expect(answer).toMatchObject({ status: 400 });
    const fields = z.object({ fields: z.record(z.string(), z.string()) }).parse(answer?.body).fields;
    expect(Object.keys(fields).sort()).toEqual(['country', 'name', 'niche', 'price', 'url']);
  });

  it('requires a seller', async () => {
    const send = { ...body, url: url('role') };
    expect((await openClient().post('/api/seller/sites', send)).status).toBe(401);
    expect((await buyer?.post('/api/seller/sites', send))?.status).toBe(403);
  });
});

describe('/api/niches-types', () => {
  it.each([
    ['niche', 'niche'],
    ['niche', 'api/niche'],
    ['type', 'type'],
    ['type', 'api/type'],
  ])('adds a %s once and deletes it at %s', async (type, path) => {
    const name = `R&D / ${path} 100% ${mark}`;
    const add = (given: string) => admin?.post('/api/niches-types', { type, name: given });
    expect(await add(name)).toMatchObject({ status: 200, body: { added: true } });
    expect(await add(name.toUpperCase())).toMatchObject({ status: 200, body: { added: false } });
    expect(await add('   ')).toMatchObject({ status: 200, body: { added: false } });
    const list = type === 'niche' ? 'niches' : 'types';
    expect((await buyer?.get('/api/niches-types'))?.body).toMatchObject({ [list]: expect.arrayContaining([name]) });
    const address = `/api/niches-types/${path}/${encodeURIComponent(name)}`;
    expect(await admin?.request(address, { method: 'DELETE' })).toMatchObject({ status: 200 });
    expect(await admin?.request(address, { method: 'DELETE' })).toMatchObject({ status: 404 });
  });

  it('rejects another type', async () => {
    expect((await admin?.post('/api/niches-types', { type: 'colour', name: 'Red' }))?.status).toBe(400);
  });
});

describe('the screens', () => {
  it('show the filtered list, its export, and the niches and post types', async () => {
    await makeSite(sellerId, 4_200, { name: `=SUM(${mark})` });
    const page = await siteDesk?.get(`/dashboard/features/guest-posts?q=${mark}&userId=${sellerId}`);
    expect(page?.body).toContain(`=SUM(${mark})`);
    const file = await siteDesk?.get(`/dashboard/features/guest-posts/export?userId=${sellerId}`);
    expect(file?.headers.get('content-disposition')).toMatch(/attachment; filename="sites-.*\.csv"/);
    expect(file?.body).toContain(`'=SUM(${mark})`);
    expect((await siteDesk?.get('/dashboard/features/niches-types'))?.body).toContain('Technology');
    expect((await orderDesk?.get('/dashboard/features/guest-posts'))?.body).not.toContain(mark);
  });
});
