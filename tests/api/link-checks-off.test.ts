import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { placements } from '@/db/schema/placements';
import { runPlacementClocks } from '@/lib/orders/placements/run-clocks';
import { expectSoundBooks } from '../setup/expect-sound-books';
import { idOf, openRecordedScene } from '../setup/recorded-scene';

/**
 * Plays the orders of a seller from the offer to the money and compares every response, byte for byte, with the
 * recording that was made before links were checked: with `link-checks` off, orders of sellers respond as they did then.
 * `RECORD_ANSWERS=1 npm test -- api tests/api/link-checks-off.test.ts` rewrites the recording, for a change that is
 * intended without this flag too.
 */
const flagsOff = ['link-checks', 'payouts'];

let scene: Awaited<ReturnType<typeof openRecordedScene>>;

beforeAll(async () => {
  scene = await openRecordedScene(flagsOff);
}, 120_000);

afterAll(() => scene.stop());

const send: (typeof scene)['send'] = (caller, line, request) => scene.send(caller, line, request);
/** A step of the seller, the buyer or staff. */
const step = (caller: 'admin' | 'buyer' | 'seller', path: string, body: unknown = {}) =>
  send(caller, `POST /api/${path}`, { body });
const url = 'https://alder.recorded.example/spades';

it('orders of sellers answer as before while link checks are off', async () => {
  const orders = await placeOrders();
  const [approved, revised, settled, declined, cancelled, taken, late] = orders;
  await step('seller', `seller/orders/${declined}/decline`, { reason: 'Off topic' });
  for (const id of orders) {
    if (id === declined) continue;
    await step('seller', `seller/orders/${id}/accept`);
    if (id === taken) continue;
    await step('seller', `seller/orders/${id}/deliver`, { url: `${url}/${orders.indexOf(id)}` });
    await readOrder(id);
  }
  await step('buyer', `orders/${approved}/messages`, { text: 'Thank you.' });
  await step('buyer', `orders/${approved}/approve`);
  await step('buyer', `orders/${revised}/revision`, { reason: 'Wrong anchor', text: 'Use the brand.' });
  await step('seller', `seller/orders/${revised}/deliver`, { url: `${url}/again` });
  await step('buyer', `orders/${revised}/approve`);
  await step('buyer', `orders/${settled}/approve`);
  await settleHalf(settled);
  await step('admin', `admin/orders/${cancelled}/placement`, { action: 'cancel', reason: 'The buyer withdrew' });
  await step('admin', `admin/orders/${taken}/placement`, { action: 'takeOver', reason: 'The seller is ill' });
  await send('admin', `PATCH /api/admin/orders/${taken}`, { body: { status: 'Live', linkUrl: url } });
  await passApprovalTime(late);
  for (const id of orders) await readOrder(id);
  await readLists();
  await scene.recordMails();
  await expectSoundBooks();
  scene.compareWith(join(import.meta.dirname, 'link-checks-off.recording.txt'));
}, 240_000);

const madeOrders = z.object({ orders: z.array(z.object({ id: z.number() })) });

/** @returns the ids of the offers, in the order in which they were made */
async function placeOrders(): Promise<number[]> {
  const { buyer } = scene.actors;
  const site = {
    ...{ name: 'Alder', url: 'https://alder.recorded.example', price: 40, country: 'Norway', niche: 'Gardening' },
    ...{ dr: 61, da: 40, traffic: 12_000, tat: '5 Days', postType: 'Guest posts' },
  };
  const siteId = idOf(await send('seller', 'POST /api/seller/sites', { body: site }));
  const approved = { status: 'Approved', adminPrice: 80, publicPrice: 80 };
  await send('admin', `PUT /api/guest-posts/${siteId}`, { body: approved });
  await step('admin', 'admin/wallet/topup', { userId: buyer.userId, amount: '1000.00', note: 'Bank transfer' });
  const project = {
    ...{ domain: 'shop.recorded.example', description: 'A shop for garden tools', niche: 'Gardening' },
    ...{ postType: 'Guest posts', country: 'Norway', targetUrl: 'https://shop.recorded.example/spades' },
  };
  const projectId = idOf(await step('buyer', 'user/projects', { ...project, keywords: 'spade, rake' }));
  const ids: number[] = [];
  for (let count = 0; count < 7; count++) {
    const brief = { anchor: 'garden rakes', rel: 'dofollow' };
    const answer = await step('buyer', 'orders', { kind: 'custom', projectId, siteIds: [siteId], brief });
    ids.push(...madeOrders.parse(JSON.parse(answer)).orders.map(({ id }) => id));
  }
  return ids;
}

/** A dispute after the approval, in which the seller accepts that half is returned. */
async function settleHalf(id: number | undefined): Promise<void> {
  const complaint = { reason: 'poor_quality', text: 'Two paragraphs only.' };
  const disputeId = idOf(await step('buyer', `orders/${id}/dispute`, complaint));
  await scene.getEach('buyer', '/api/disputes/', [disputeId]);
  await step('buyer', `disputes/${disputeId}/proposals`, { buyerPercent: 50 });
  await step('seller', `disputes/${disputeId}/proposals/1/accept`);
  await scene.getEach('seller', '/api/disputes/', [disputeId]);
}

/** The clock approves a delivery that the buyer has not answered. */
async function passApprovalTime(id = 0): Promise<void> {
  const yesterday = sql`now() - interval '1 day'`;
  await db()
    .update(placements)
    .set({ approveDueAt: yesterday, nextActionAt: yesterday })
    .where(eq(placements.orderId, id));
  await runPlacementClocks();
}

async function readOrder(id: number): Promise<void> {
  await scene.getEach('buyer', `/api/orders/${id}`, ['', '/messages']);
  await scene.getEach('seller', `/api/seller/orders/${id}`, ['', '/messages']);
  await scene.getEach('admin', `/api/admin/orders/${id}`, ['']);
}

async function readLists(): Promise<void> {
  await scene.getEach('buyer', '/api/orders', ['', '?limit=2']);
  await scene.getEach('seller', '/api/seller/orders', ['', '?state=publish', '?state=approved']);
  await scene.getEach('admin', '/api/admin/orders', ['', '?state=approved', '?fulfilledBy=seller&limit=2']);
  await scene.getEach('admin', '/api/admin/disputes', ['']);
  for (const caller of ['buyer', 'seller', 'admin'] as const) {
    await scene.getEach(caller, '/api/wallet', ['', '/balance', '/transactions']);
  }
  await scene.getEach('admin', '/api/admin/wallet/transactions', ['?all=1']);
  await scene.getEach('admin', '/api/audit-logs', ['?limit=200']);
}
