import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '@/lib/ids';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeStaff } from '@/tests/factories/make-staff';
import { appUrl, openClient } from '@/tests/setup/http-client';

const anOrder = z.looseObject({ id: z.number(), version: z.number().optional(), status: z.string() });
const created = z.object({ orders: z.array(anOrder) });
const listed = z.object({ orders: z.array(anOrder), total: z.number(), limit: z.number(), offset: z.number() });

let buyer = openClient();
let stranger = openClient();
let admin = openClient();
let clerk = openClient();
let buyerId = '';
let projectId = '';
let siteId = 0;

beforeAll(async () => {
  const account = await makeAccount();
  buyerId = account.userId;
  await fundWallet(buyerId, 50_000);
  projectId = await makeProject(account);
  siteId = await makeSite((await makeAccount({ role: 'Seller' })).userId, 2_000);
  [buyer, stranger, admin, clerk] = [openClient(), openClient(), openClient(), openClient()];
  await buyer.signIn('user', account.email);
  await stranger.signIn('user', (await makeAccount()).email);
  await admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
  await clerk.signIn('admin', (await makeStaff('ManageSites')).email);
});

async function order(headers: Record<string, string> = {}) {
  const answer = await buyer.post('/api/orders', { kind: 'custom', projectId, siteIds: [siteId] }, headers);
  expect(answer.status).toBe(201);
  const [first] = created.parse(answer.body).orders;
  if (!first) throw new Error('No order was made.');
  return first;
}

const patch = (id: number, body: unknown) => admin.request(`/api/admin/orders/${id}`, { method: 'PATCH', body });

/** Sends a file as a browser's form does. */
async function upload(id: number, name: string, content: string, client = admin) {
  const form = new FormData();
  form.append('file', new File([content], name));
  const response = await fetch(`${appUrl}/api/admin/orders/${id}/content`, {
    method: 'POST',
    headers: { cookie: client.cookie(), origin: new URL(appUrl).origin },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}

describe('/api/orders', () => {
  it('creates one order per Idempotency-Key, and lists own orders with their number', async () => {
    const headers = { 'Idempotency-Key': newId() };
    const first = await order(headers);
    expect((await order(headers)).id).toBe(first.id);
    const list = await buyer.get('/api/orders?limit=1');
    expect(z.array(anOrder).parse(list.body)).toHaveLength(1);
    expect(Number(list.headers.get('x-total-count'))).toBeGreaterThan(0);
    expect((await stranger.get('/api/orders')).body).toEqual([]);
  });

  it('returns 402 with the top-up URL when funds are missing', async () => {
    const dear = await makeSite((await makeAccount({ role: 'Seller' })).userId, 9_000_000);
    const answer = await buyer.post('/api/orders', { kind: 'custom', projectId, siteIds: [dear] });
    expect(answer).toMatchObject({ status: 402, body: { url: expect.stringMatching(/^\/user\/wallet\?topup=/) } });
  });

  it("rejects another buyer's project and an empty selection", async () => {
    const body = { kind: 'custom', projectId, siteIds: [siteId] };
    expect(await stranger.post('/api/orders', body)).toMatchObject({ status: 404 });
    const empty = await buyer.post('/api/orders', { ...body, siteIds: [] });
    expect(empty).toMatchObject({ status: 400, body: { fields: { siteIds: 'No site selected.' } } });
  });
});

describe('/api/admin/orders', () => {
  it('searches, updates and deletes, and rejects a stale edit', async () => {
    const { id } = await order();
    const found = listed.parse((await admin.get(`/api/admin/orders?q=%23${id}&userId=${buyerId}&limit=25`)).body);
    expect(found).toMatchObject({ total: 1, limit: 25, offset: 0 });
    expect(listed.parse((await admin.get('/api/admin/orders')).body).limit).toBe(100);
    const version = found.orders[0]?.version;
    expect(await patch(id, { linkUrl: 'example.com/post', version })).toMatchObject({
      status: 200,
      body: { status: 'Live', linkUrl: 'https://example.com/post', userId: buyerId },
    });
    expect(await patch(id, { status: 'Completed', version })).toMatchObject({ status: 409 });
    expect(await patch(id, { linkUrl: 'javascript:alert(1)' })).toMatchObject({
      status: 400,
      body: { fields: { linkUrl: expect.stringContaining('web address') } },
    });
    const remove = (query = '') => admin.request(`/api/admin/orders/${id}${query}`, { method: 'DELETE' });
    expect(await remove(`?version=${version}`)).toMatchObject({ status: 409 });
    // The current version, which a screen compares with the rejected edit.
    expect(await admin.get(`/api/admin/orders/${id}`)).toMatchObject({
      status: 200,
      body: { id, status: 'Live', userId: buyerId, version: (version ?? 0) + 1 },
    });
    expect(await remove()).toMatchObject({ status: 200, body: { ok: true } });
    expect(await remove()).toMatchObject({ status: 404 });
    expect(await admin.get(`/api/admin/orders/${id}`)).toMatchObject({ status: 404 });
  });

  it('returns 403 without the permission', async () => {
    const { id } = await order();
    const calls = [
      ['GET', '/api/admin/orders'],
      ['GET', `/api/admin/orders/${id}`],
      ['PATCH', `/api/admin/orders/${id}`],
      ['DELETE', `/api/admin/orders/${id}`],
      ['POST', `/api/admin/orders/${id}/content`],
      ['GET', `/api/admin/orders/${id}/content/download`],
      ['GET', '/api/audit-logs'],
    ] as const;
    for (const [method, path] of calls) {
      const body = method === 'GET' ? undefined : {};
      expect((await openClient().request(path, { method, body })).status, path).toBe(401);
      expect((await buyer.request(path, { method, body })).status, path).toBe(403);
      expect((await clerk.request(path, { method, body })).status, path).toBe(403);
    }
  });
});

describe('content', () => {
  it("is delivered by staff and visible to the order's buyer only", async () => {
    const { id } = await order();
    const path = `/api/orders/${id}/content/download`;
    expect(await buyer.get(path)).toMatchObject({ status: 404 });
    expect(await upload(id, 'Ünïcødé "draft" 🌱.md', '# Spades\n')).toMatchObject({
      status: 201,
      body: { content: { fileName: 'Ünïcødé "draft" 🌱.md', sizeBytes: 9 } },
    });
    const file = await buyer.get(path);
    expect(file).toMatchObject({ status: 200, body: '# Spades\n' });
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect(file.headers.get('cache-control')).toBe('private, no-store');
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''%C3%9Cn%C3%AFc%C3%B8d%C3%A9%20%22draft%22%20%F0%9F%8C%B1\.md$/,
    );
    expect(await stranger.get(path)).toMatchObject({ status: 404 });
    expect(await openClient().get(path)).toMatchObject({ status: 401 });
    expect(await admin.get(`/api/admin${path.slice(4)}`)).toMatchObject({ status: 200, body: '# Spades\n' });
  });

  it('is rejected with a reason when its type differs from its name, or when it is too large', async () => {
    const { id } = await order();
    expect(await upload(id, 'offer.pdf', 'MZ\u0090\u0000\u0003')).toMatchObject({ status: 415 });
    expect(await upload(id, 'big.txt', 'a'.repeat(25_000_001))).toMatchObject({
      status: 413,
      body: { error: 'The file is larger than 25 MB.' },
    });
    expect(await upload(id, 'mine.txt', 'words', buyer)).toMatchObject({ status: 403 });
  });
});

it('lists the history of an order in the audit log, newest first', async () => {
  const { id } = await order();
  await patch(id, { status: 'Processing' });
  await patch(id, { status: 'Refunded' });
  const { body, headers } = await admin.get(`/api/audit-logs?q=order%20${id}&limit=50`);
  const entries = z.array(z.looseObject({ entityId: z.string(), action: z.string(), amount: z.number().nullable() }));
  const story = entries.parse(body).filter((entry) => entry.entityId === String(id));
  expect(story.map((entry) => [entry.action, entry.amount])).toEqual([
    ['order.refunded', 20],
    ['order.updated', null],
    ['order.created', 20],
  ]);
  expect(Number(headers.get('x-total-count'))).toBeGreaterThanOrEqual(3);
});
