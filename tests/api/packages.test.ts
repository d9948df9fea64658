import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { openClient } from '@/tests/setup/http-client';

const made = z.looseObject({ id: z.number() });
const named = z.array(z.looseObject({ name: z.string() }));
const mark = newId();
const [admin, buyer] = [openClient(), openClient()];

beforeAll(async () => {
  await admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
  await buyer.signIn('user', (await makeAccount()).email);
});

const namesAt = async (client: typeof admin, path: string) =>
  named.parse((await client.get(path)).body).map(({ name }) => name);

describe('/api/packages', () => {
  it('is created, listed for buyers without internal fields, updated and deleted', async () => {
    const name = `Bundle ${mark}`;
    const added = await admin.post('/api/packages', { name, price: 249.5, links: [{ type: 'Guest posts' }] });
    expect(added).toMatchObject({
      status: 201,
      body: {
        name,
        price: 249.5,
        currency: 'USD',
        desc: '',
        links: '[{"type":"Guest posts"}]',
        isOnSale: true,
        version: 1,
      },
    });
    const { id } = made.parse(added.body);
    for (const path of ['/api/packages', '/api/user/packages']) {
      const seen = z
        .array(made)
        .parse((await buyer.get(path)).body)
        .find((one) => one.id === id);
      expect(seen).toEqual({ id, name, desc: '', price: 249.5, currency: 'USD', priceUsd: 249.5 });
    }
    const path = `/api/packages/${id}`;
    const put = (body: unknown) => admin.request(path, { method: 'PUT', body });
    expect(await put({ name, price: 0, links: '' })).toMatchObject({
      status: 200,
      body: { price: 0, isOnSale: false },
    });
    expect(await namesAt(buyer, '/api/user/packages')).not.toContain(name);
    expect(await namesAt(admin, '/api/packages')).toContain(name);
    expect(await put({ isOnSale: true })).toMatchObject({
      status: 400,
      body: { fields: { isOnSale: expect.any(String) } },
    });
    expect(await put({ name: 'Late', version: 1 })).toMatchObject({ status: 409 });
    // The current version, which a screen compares with the rejected edit.
    expect(await admin.get(path)).toMatchObject({ status: 200, body: { id, name, price: 0, version: 2 } });
    expect((await buyer.get(path)).status).toBe(403);
    expect(await admin.request(path, { method: 'DELETE' })).toMatchObject({ status: 200 });
    expect(await admin.request(path, { method: 'DELETE' })).toMatchObject({ status: 404 });
    expect(await namesAt(admin, '/api/packages')).not.toContain(name);
  });

  it.each([
    [{}, ['name', 'price']],
    [{ name: 'x', price: 'ten' }, ['price']],
    [{ name: 'x', price: 1, links: '{"a"' }, ['links']],
  ])('is rejected as %j', async (body, fields) => {
    const answer = await admin.post('/api/packages', body);
    expect(answer.status).toBe(400);
    expect(Object.keys(z.object({ fields: z.record(z.string(), z.string()) }).parse(answer.body).fields)).toEqual(
      fields,
    );
  });
});

describe('/api/licenses', () => {
  it('is created, toggled and deleted, with a unique key', async () => {
    const body = { name: `Plug-in ${mark}`, key: `K-${mark}`, status: 'active', packageId: '', userId: '' };
    const added = await admin.post('/api/licenses', body);
    expect(added).toMatchObject({ status: 201, body: { ...body, packageId: null, userId: null, version: 1 } });
    expect(await admin.post('/api/licenses', body)).toMatchObject({
      status: 409,
      body: { fields: { key: expect.any(String) } },
    });
    const path = `/api/licenses/${made.parse(added.body).id}`;
    const toggled = await admin.request(path, { method: 'PUT', body: { status: 'inactive' } });
    expect(toggled).toMatchObject({ status: 200, body: { status: 'inactive', version: 2 } });
    expect(await admin.get(path)).toMatchObject({ status: 200, body: toggled.body });
    expect(await namesAt(admin, '/api/licenses')).toContain(body.name);
    expect((await buyer.get('/api/licenses')).status).toBe(403);
    expect(await admin.request(path, { method: 'DELETE' })).toMatchObject({ status: 200 });
    expect(await admin.get(path)).toMatchObject({ status: 404 });
  });
});

describe('POST /api/tools/seo/suggest', () => {
  it('returns a suggestion to any signed-in user, and requires input', async () => {
    const found = await buyer.post('/api/tools/seo/suggest', { domain: 'example.com', intent: 'buy spades' });
    expect(found).toMatchObject({
      status: 200,
      body: { title: 'Buy spades | Example', description: expect.stringMatching(/^Buy spades/) },
    });
    expect(await buyer.post('/api/tools/seo/suggest', { intent: ' ' })).toMatchObject({ status: 400 });
    expect(await buyer.post('/api/tools/seo/suggest', { currentTitle: 'x'.repeat(301) })).toMatchObject({
      status: 400,
    });
    expect((await openClient().post('/api/tools/seo/suggest', { intent: 'x' })).status).toBe(401);
  });
});

describe('the legacy URLs of the admin area', () => {
  const tool = '/dashboard/features/serp-preview';
  it.each([
    ['/dashboard/users', '/dashboard/features/users'],
    ['/dashboard/tools', tool],
    ['/dashboard/tools/titles', tool],
    ['/dashboard/seo', tool],
    ...['seo', 'ai', 'keyword', 'serp', 'link', 'onpage'].map((name) => [`/dashboard/features/${name}-tools`, tool]),
  ])('%s redirects to %s, and to the sign-in page without a session', async (path = '', target) => {
    for (const client of [openClient(), buyer, admin]) {
      const { status, headers } = await client.get(path);
      expect([status, headers.get('location')]).toEqual([307, target]);
    }
    const signIn = await openClient().get(target ?? '');
    expect(signIn.headers.get('location')).toContain('/admin/login');
  });
});
