import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { orders } from '@/db/schema/orders';
import { briefArticles, orderBriefs, type PlacementState, placementStates, placements } from '@/db/schema/placements';
import { newId } from '@/lib/ids';
import { maxSitesPerOrder } from '@/lib/orders/order/schemas';
import { limits } from '@/lib/platform/rate-limits/limits';
import { newArticleKey } from '@/lib/platform/storage/storage-key';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { openClient } from '@/tests/setup/http-client';
import { sendBody, sendUpload } from '@/tests/setup/send-body';

const created = z.object({ orders: z.array(z.looseObject({ id: z.int() })).min(1) });
const uploaded = z.object({ id: z.string() });

const [buyer, seller, admin, stranger] = [openClient(), openClient(), openClient(), openClient()];
let projectId = '';
let siteId = 0;
let sellerId = '';

beforeAll(async () => {
  const [account, vendor] = [await makeAccount(), await makeAccount({ role: 'Seller' })];
  await fundWallet(account.userId, 1_000_000);
  projectId = await makeProject(account);
  sellerId = vendor.userId;
  siteId = await makeSite(vendor.userId, 5_000, { isFulfilledByStaff: false });
  await buyer.signIn('user', account.email);
  await seller.signIn('seller', vendor.email);
  await admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
  await stranger.signIn('user', (await makeAccount()).email);
});

const path = '/api/brief-articles';
const order = (body: object) => buyer.post('/api/orders', { kind: 'custom', projectId, siteIds: [siteId], ...body });
const put = (id: number, body: unknown) => buyer.request(`/api/orders/${id}/brief`, { method: 'PUT', body });
async function ordered(body: object): Promise<number> {
  const [first] = created.parse((await order(body)).body).orders;
  return first?.id ?? 0;
}

describe('a brief', () => {
  it('is ordered with an exception, changed until the order is accepted, and named in answers', async () => {
    const answer = await order({ brief: { anchor: 'spades', rel: 'dofollow' }, briefs: { [siteId]: { words: 800 } } });
    expect(answer).toMatchObject({
      status: 201,
      body: { orders: [{ brief: { anchor: 'spades', rel: 'dofollow', words: 800, writer: 'seller' } }] },
    });
    const id = created.parse(answer.body).orders[0]?.id ?? 0;
    expect(await put(id, { anchor: 'rakes', version: 1 })).toMatchObject({
      status: 200,
      body: { id, brief: { anchor: 'rakes', rel: 'any', words: null, version: 2 } },
    });
    expect(await put(id, { anchor: 'hoes', version: 1 })).toMatchObject({ status: 409 });
    expect(await put(id, { targetUrl: 'javascript:alert(1)', words: 1 })).toMatchObject({
      status: 400,
      body: { fields: { targetUrl: expect.any(String), words: expect.any(String) } },
    });
    await db().update(placements).set({ state: 'accepted' }).where(eq(placements.orderId, id));
    expect(await put(id, { anchor: 'hoes' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining(`Order #${id} is accepted`) },
    });
  });

  it('has an exception for each of 100 sites, with texts of the full length', async () => {
    const siteIds: number[] = [];
    for (let count = 0; count < maxSitesPerOrder; count += 1) siteIds.push(await makeSite(sellerId, 100));
    // A client may escape every character, with six bytes each.
    const full = {
      anchor: '€'.repeat(200),
      notes: '€'.repeat(5_000),
      targetUrl: `https://a.example/${'€'.repeat(2_000)}`,
    };
    const body = {
      kind: 'custom',
      projectId,
      siteIds,
      brief: full,
      briefs: Object.fromEntries(siteIds.map((id) => [id, full])),
    };
    const answer = await sendBody(buyer, '/api/orders', JSON.stringify(body).replaceAll('€', '\\u20ac'));
    expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).toBe(201);
    expect(created.parse(answer.body).orders).toHaveLength(maxSitesPerOrder);
    const [brief] = await db()
      .select()
      .from(orderBriefs)
      .innerJoin(orders, eq(orders.id, orderBriefs.orderId))
      .where(eq(orders.siteId, siteIds[99] ?? 0));
    expect(brief?.order_briefs).toMatchObject(full);
  });

  it('is refused with the names of the invalid fields', async () => {
    expect(await order({ brief: { words: 1 }, briefs: { '1': {}, [siteId]: { rel: 'none' } } })).toMatchObject({
      status: 400,
      body: { fields: { 'brief.words': expect.any(String), [`briefs.${siteId}.rel`]: expect.any(String) } },
    });
    expect(await order({ briefs: { '1': {} } })).toMatchObject({
      status: 400,
      body: { fields: { 'briefs.1': 'Site #1 is not part of this order.' } },
    });
  });
});

describe('an article', () => {
  it('is uploaded, named by a brief, and downloaded by the buyer, the seller and staff only', async () => {
    const answer = await sendUpload(buyer, path, { content: '# Spades\n', name: 'draft.md' });
    expect(answer).toMatchObject({ status: 201, body: { fileName: 'draft.md', sizeBytes: 9 } });
    const { id: articleId } = uploaded.parse(answer.body);
    const id = await ordered({ brief: { articleId } });
    for (const [client, portal] of [
      [buyer, ''],
      [seller, '/seller'],
      [admin, '/admin'],
    ] as const) {
      const file = await client.get(`/api${portal}/orders/${id}/brief/article`);
      expect(file).toMatchObject({ status: 200, body: '# Spades\n' });
      expect(file.headers.get('content-disposition')).toContain('attachment');
    }
    expect(await stranger.get(`/api/orders/${id}/brief/article`)).toMatchObject({ status: 404 });
    expect(await buyer.get(`/api/seller/orders/${id}/brief/article`)).toMatchObject({ status: 403 });
    const without = await ordered({});
    expect(await buyer.get(`/api/orders/${without}/brief/article`)).toMatchObject({ status: 404 });
  });

  it('is downloaded by the seller, unless the order ended without a delivery', async () => {
    const { id: articleId } = uploaded.parse(
      (await sendUpload(buyer, path, { content: '# Rakes\n', name: 'draft.md' })).body,
    );
    const id = await ordered({ brief: { articleId } });
    const setState = (state: PlacementState) =>
      db().update(placements).set({ state }).where(eq(placements.orderId, id));
    for (const state of placementStates) {
      await setState(state);
      const answer = await seller.get(`/api/seller/orders/${id}/brief/article`);
      const isEnded = ['declined', 'expired', 'cancelled', 'taken_over'].includes(state);
      expect(answer.status, state).toBe(isEnded ? 404 : 200);
      if (isEnded) expect(answer.body).toEqual({ error: expect.stringContaining('can no longer be downloaded') });
      expect((await buyer.get(`/api/orders/${id}/brief/article`)).status).toBe(200);
    }
    await setState('offered');
  });

  it('of another user is not found', async () => {
    const { id: articleId } = uploaded.parse(
      (await sendUpload(stranger, path, { content: 'Mine', name: 'mine.txt' })).body,
    );
    expect(await order({ brief: { articleId } })).toMatchObject({
      status: 404,
      body: { fields: { 'brief.articleId': expect.any(String) } },
    });
    expect(await put(await ordered({}), { articleId })).toMatchObject({ status: 404 });
  });

  it('is refused for its type, without a file, beyond the number of unused ones, and beyond the limit', async () => {
    const account = await makeAccount();
    const writer = openClient();
    await writer.signIn('user', account.email);
    const send = (name = 'draft.txt') => sendUpload(writer, path, { content: 'An article', name });
    expect(await send('draft.docx')).toMatchObject({ status: 415 });
    expect(await sendBody(writer, path, new FormData())).toMatchObject({ status: 400 });
    await db()
      .insert(briefArticles)
      .values(
        Array.from({ length: 100 }, () => ({
          ...{ id: newId(), accountId: account.userId, storageKey: newArticleKey(account.userId) },
          ...{ fileName: 'a.txt', mediaType: 'text/plain', sizeBytes: 1, sha256: '' },
        })),
      );
    expect(await send()).toMatchObject({ status: 409 });
    await db()
      .update(rateLimits)
      .set({ count: limits.article.account.max, resetsAt: sql`now() + interval '1 hour'` })
      .where(eq(rateLimits.key, `article:account:${account.userId}`));
    expect(await send()).toMatchObject({ status: 429 });
  });
});
