import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { z } from 'zod';
import { expectSoundBooks } from '../setup/expect-sound-books';
import { type Caller, idOf, openRecordedScene } from '../setup/recorded-scene';

/**
 * Plays one scenario of buyer, seller and admin and compares every response, byte for byte, with the recording that was
 * made before sellers could fulfill orders: with these flags off, the API responds as it did then. A difference is a
 * defect of the code. `RECORD_ANSWERS=1 npm test -- api tests/api/flags-off.test.ts` rewrites the recording, for a change
 * that is intended without these flags too.
 */
const flagsOff = ['seller-orders', 'order-messages', 'link-checks', 'payouts', 'webhooks'];

const unknownOrder = 2_000_000_000;

let scene: Awaited<ReturnType<typeof openRecordedScene>>;
let buyerId = '';

beforeAll(async () => {
  scene = await openRecordedScene(flagsOff);
  buyerId = scene.actors.buyer.userId;
}, 120_000);

afterAll(() => scene.stop());

const send: (typeof scene)['send'] = (caller, line, request) => scene.send(caller, line, request);
const getEach: (typeof scene)['getEach'] = (caller, path, endings) => scene.getEach(caller, path, endings);
const madeOrders = z.object({ orders: z.array(z.object({ id: z.number() })) });

it('answers as before while orders of sellers are off', async () => {
  const sites = await offerSites();
  const projectId = await prepareBuyer();
  const packageId = idOf(
    await send('admin', 'POST /api/packages', {
      body: { name: 'Starter', price: 99.99, desc: 'Three posts', links: 'https://one.example,https://two.example' },
    }),
  );
  for (const caller of ['buyer', 'seller', 'admin'] as const) await send(caller, 'GET /api/packages');
  await getEach('buyer', '/api/user', ['/packages', '/projects']);

  const ordered = await placeOrders(projectId, sites, packageId);
  await refuseOrders(projectId, sites, packageId);
  await listOrders(projectId, ordered);
  await workOnOrders(ordered);
  await deliverContent(ordered);
  await listOrders(projectId, ordered);
  await readMoney(projectId, ordered);
  await readSettings();
  // Nothing of an order is sent to its seller.
  await scene.recordMails();
  await expectSoundBooks();
  scene.compareWith(join(import.meta.dirname, 'flags-off.recording.txt'));
}, 240_000);

/** The seller adds sites; the admin approves all but the last. @returns their ids */
async function offerSites(): Promise<number[]> {
  const site = (name: string, price: unknown) => ({
    ...{ name, url: `https://${name.toLowerCase()}.recorded.example`, price, country: 'Norway', niche: 'Gardening' },
    ...{ dr: 61, da: 40, traffic: 12_000, tat: '5 Days', postType: 'Guest posts' },
  });
  const ids: number[] = [];
  for (const [name, price] of Object.entries({ Alder: 40, Birch: '55.55', Cedar: 30, Dogwood: 20 })) {
    ids.push(Number(idOf(await send('seller', 'POST /api/seller/sites', { body: site(name, price) }))));
  }
  await send('seller', 'POST /api/seller/sites', { body: site('Alder', 40) });
  await send('seller', 'POST /api/seller/sites', { body: { ...site('Elm', ''), brief: true } });
  await send('buyer', 'POST /api/seller/sites', { body: site('Elm', 10) });
  const approve = (id: number | undefined, publicPrice: number) =>
    send('admin', `PUT /api/guest-posts/${id}`, { body: { status: 'Approved', adminPrice: publicPrice, publicPrice } });
  await approve(ids[0], 80);
  await approve(ids[1], 99.95);
  await approve(ids[2], 60.01);
  await send('admin', `GET /api/guest-posts/${ids[0]}`);
  await getEach('buyer', '/api/guest-posts', ['', '?limit=2&sort=price&order=asc']);
  await getEach('admin', '/api/guest-posts', ['?limit=2&sort=price&order=asc']);
  await getEach('seller', '/api/seller/sites', ['', '?limit=2', '?status=Pending', '?q=birch', '/stats']);
  await send('buyer', 'GET /api/seller/sites/stats');
  return ids;
}

/** The admin credits the buyer's wallet, and the buyer adds a project. @returns its id */
async function prepareBuyer(): Promise<string> {
  const topup = { userId: buyerId, amount: '1000.00', note: 'Bank transfer' };
  const once = { 'Idempotency-Key': 'topup-1' };
  await send('admin', 'POST /api/admin/wallet/topup', { body: topup, headers: once });
  await send('admin', 'POST /api/admin/wallet/topup', { body: topup, headers: once });
  const project = {
    ...{ domain: 'shop.recorded.example', description: 'A shop for garden tools', niche: 'Gardening' },
    ...{ postType: 'Guest posts', country: 'Norway', targetUrl: 'https://shop.recorded.example/spades' },
  };
  const id = idOf(await send('buyer', 'POST /api/user/projects', { body: { ...project, keywords: 'spade, rake' } }));
  await send('buyer', 'POST /api/user/projects', { body: project });
  return String(id);
}

const brief = { targetUrl: 'https://shop.recorded.example/rakes', anchor: 'garden rakes', writer: 'seller' };

/** Orders in every way. @returns the ids of the orders, in the order they were made */
async function placeOrders(projectId: string, sites: number[], packageId: unknown): Promise<number[]> {
  const [alder, birch, cedar] = sites;
  const ids: number[] = [];
  const order = async (body: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const answer = await send('buyer', 'POST /api/orders', { body: { projectId, ...body }, headers });
    ids.push(...madeOrders.parse(JSON.parse(answer)).orders.map(({ id }) => id));
  };
  await order({ kind: 'custom', siteIds: [alder] });
  await order({ kind: 'custom', siteIds: [birch, String(cedar), birch], shownTotalCents: 15_996 });
  await order({ kind: 'package', packageId, quantity: 2 });
  await order({ kind: 'package', packageId: String(packageId), quantity: '' });
  const key = { 'Idempotency-Key': 'basket-1' };
  await order({ kind: 'custom', siteIds: [alder, birch] }, key);
  await order({ kind: 'custom', siteIds: [alder, birch] }, key);
  // Unknown keys of the body are ignored, and are no part of the request that a key stands for.
  await order({ kind: 'custom', siteIds: [alder, birch], brief }, key);
  await order({ kind: 'custom', siteIds: [cedar], brief, briefs: { [String(cedar)]: brief }, unknown: 1 });
  await order({ kind: 'custom', siteIds: [cedar], brief: 'no object', briefs: [] });
  return [...new Set(ids)];
}

async function refuseOrders(projectId: string, [alder, birch, , dogwood]: number[], packageId: unknown) {
  const order = (body: unknown, caller: Caller = 'buyer', headers: Record<string, string> = {}) =>
    send(caller, 'POST /api/orders', { body, headers });
  const one = { kind: 'custom', projectId, siteIds: [alder] };
  await order('{"kind":');
  await order([]);
  await order({ projectId });
  await order({ ...one, siteIds: [] });
  await order({ ...one, siteIds: ['x'], brief });
  await order({ ...one, projectId: '' });
  await order({ ...one, projectId: '01jd0000000000000000000000' });
  await order({ ...one, siteIds: [dogwood] });
  await order({ ...one, siteIds: [alder, unknownOrder] });
  await order({ ...one, siteIds: [birch], shownTotalCents: 9_994 });
  await order({ ...one, siteIds: [birch] }, 'buyer', { 'Idempotency-Key': 'basket-1' });
  await order({ kind: 'package', projectId, packageId, quantity: 50 });
  await order({ kind: 'package', projectId, packageId, quantity: 0 });
  await order({ kind: 'package', projectId, packageId: unknownOrder, quantity: 1 });
  for (const caller of ['stranger', 'seller', 'admin', 'visitor'] as const) await order(one, caller);
  await order(one, 'buyer', { origin: 'https://evil.example' });
}

async function listOrders(projectId: string, [first, second]: number[]) {
  await getEach('buyer', '/api/orders', [
    ...['', '?limit=2', '?limit=2&offset=2', '?status=Pending&limit=1', '?status=Refunded', '?status=offered&limit=1'],
    ...[
      '?q=birch',
      `?q=%23${second}`,
      `?projectId=${projectId}&limit=1`,
      '?limit=0',
      '?limit=501',
      '?state=late&limit=1',
    ],
  ]);
  await getEach('admin', '/api/admin/orders', [
    ...['', '?limit=2', '?limit=2&offset=2', '?status=Completed', '?status=Refunded', '?q=alder', `?q=%23${first}`],
    ...[`?userId=${buyerId}&limit=1`, `?limit=2&cursor=next.${second}`, '?limit=0', '?state=late&limit=1'],
    ...[`/${first}`, `/${unknownOrder}`, '/x'],
  ]);
  for (const caller of ['stranger', 'seller', 'admin', 'visitor'] as const) await send(caller, 'GET /api/orders');
  for (const caller of ['buyer', 'seller', 'visitor'] as const) {
    await getEach(caller, '/api/admin/orders', ['', `/${first}`]);
  }
  await getEach('admin', '/dashboard/features/orders/export', ['', '?status=Refunded', `?q=%23${first}`]);
}

/** Every status, link and comment by the desk, with the refunds and their reversal. */
async function workOnOrders([site, birch, cedar, bundle, single, last]: number[]) {
  const patch = (id: unknown, body: unknown, caller: Caller = 'admin') =>
    send(caller, `PATCH /api/admin/orders/${id}`, { body });
  const balance = () => send('buyer', 'GET /api/wallet/balance');
  for (const status of ['Processing', 'Live', 'Completed', 'Rejected', 'Pending', 'Pending'])
    await patch(site, { status });
  await patch(site, { linkUrl: 'alder.recorded.example/spades' });
  await patch(site, { linkUrl: '', status: 'Processing', adminComments: 'Waiting for the editor' });
  await patch(site, { linkUrl: 'https://alder.recorded.example/spades', status: 'Completed', adminComments: '' });
  await patch(site, {});
  await patch(site, { placement: { state: 'approved' }, brief });
  await patch(birch, { status: 'Refunded', adminComments: 'The site is closed' });
  await balance();
  await patch(birch, { status: 'Refunded' });
  await patch(birch, { linkUrl: 'https://birch.recorded.example/rakes' });
  await patch(birch, { status: 'Processing' });
  await balance();
  await patch(birch, { status: 'Refunded' });
  await patch(birch, { status: 'Rejected' });
  await patch(cedar, { status: 'Refunded', isRejection: true, adminComments: 'Not in our niche' });
  await patch(bundle, { status: 'Live', isRejection: true });
  await patch(bundle, { status: 'Refunded' });
  await balance();
  await patch(single, { status: 'Rejected', adminComments: 'Out of stock' });
  await patch(single, { status: 'Completed', version: 1 });
  await patch(single, { status: 'Lost' });
  await patch(single, { linkUrl: 'javascript:alert(1)' });
  await patch(single, { version: 'x' });
  await patch(single, '{"status":');
  for (const id of [unknownOrder, 'x']) await patch(id, { status: 'Live' });
  for (const caller of ['buyer', 'seller', 'visitor'] as const) await patch(single, { status: 'Live' }, caller);
  for (const line of [`${last}?version=99`, `${last}`, `${last}`, `${unknownOrder}`]) {
    await send('admin', `DELETE /api/admin/orders/${line}`);
  }
  await patch(last, { status: 'Live' });
  await send('buyer', `DELETE /api/admin/orders/${single}`);
}

async function deliverContent([site, birch]: number[]) {
  const upload = (id: unknown, file?: File, caller: Caller = 'admin') =>
    send(caller, `POST /api/admin/orders/${id}/content`, { file });
  const draft = new File(['# Spades\n'], 'Spaten "Entwurf" ü.md');
  await send('buyer', `GET /api/orders/${site}/content/download`);
  await upload(site, draft);
  await upload(site, new File(['# Better spades\n'], 'final.md'));
  await upload(birch, new File(['MZ\u0090\u0000\u0003'], 'offer.pdf'));
  await upload(unknownOrder, draft);
  await upload(site);
  await upload(site, draft, 'buyer');
  for (const caller of ['buyer', 'stranger', 'seller', 'admin', 'visitor'] as const) {
    await send(caller, `GET /api/orders/${site}/content/download`);
  }
  await getEach('admin', '/api/admin/orders/', [`${site}/content/download`, `${birch}/content/download`]);
}

async function readMoney(projectId: string, [, , , bundle]: number[]) {
  // The rest of the wallet is spent, so that the reversal of a refund is refused.
  const rest = idOf(await send('admin', 'POST /api/packages', { body: { price: 420.09, name: 'The rest' } }));
  const body = { kind: 'package', projectId, packageId: rest, quantity: 1 };
  for (let count = 0; count < 2; count += 1) await send('buyer', 'POST /api/orders', { body });
  await send('admin', `PATCH /api/admin/orders/${bundle}`, { body: { status: 'Pending' } });
  for (const caller of ['buyer', 'seller', 'admin'] as const) {
    await getEach(caller, '/api/wallet', ['', '/balance', '/transactions', '/transactions?limit=2']);
  }
  const filters = ['', '?all=1', '?limit=3', `?userId=${buyerId}&limit=2`, '?q=refund'];
  await getEach('admin', '/api/admin/wallet/transactions', filters);
  await send('seller', 'GET /api/admin/wallet/transactions');
  await send('admin', `POST /api/admin/wallet/recalc/${buyerId}`);
  await getEach('seller', '/api/seller/sites', ['', '/stats']);
}

async function readSettings() {
  await getEach('admin', '/api/admin/payments', ['/stripe/config', '/paypal/config', '/wechat/config']);
  for (const caller of ['buyer', 'seller', 'admin'] as const) await send(caller, 'GET /api/acl/my-permissions');
  await getEach('admin', '/api', ['/acl/permissions', '/audit-logs?limit=200']);
}
