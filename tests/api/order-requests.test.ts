import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { cartItems } from '@/db/schema/carts';
import { orderRequests } from '@/db/schema/order-requests';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { savePolicy } from '@/lib/orders/requests/save-limits';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeToken } from '@/tests/factories/make-token';
import { openClient } from '@/tests/setup/http-client';

let buyer: Actor;
let projectId: string;
let siteId: number;
const client = openClient();
beforeAll(async () => {
  buyer = await makeAccount();
  await client.signIn('user', buyer.email);
  projectId = await makeProject(buyer);
  siteId = await makeSite((await makeAccount({ role: 'Seller' })).userId, 5_000);
  await fundWallet(buyer.accountId, 20_000);
  await savePolicy(buyer, buyer.accountId, { approvalAboveCents: 4_999 });
});

const heldAnswer = z.strictObject({ request: z.looseObject({ id: z.string(), state: z.literal('open') }) });
const idOf = ({ status, body }: { status: number; body: unknown }) => {
  expect(status).toBe(202);
  return heldAnswer.parse(body).request.id;
};

it('every way to order above a limit answers 202 with the request, and a repeat the same one', async () => {
  const order = { kind: 'custom', projectId, siteIds: [siteId] };
  const headers = { 'idempotency-key': newId() };
  const send = () => client.request('/api/orders', { method: 'POST', headers, body: order });
  const id = idOf(await send());
  expect(idOf(await send())).toBe(id);

  const token = await makeToken(buyer.userId, ['orders:write', 'read']);
  const program = openClient();
  const byToken = await program.request('/api/orders', { method: 'POST', headers: token.headers, body: order });
  expect(idOf(byToken)).not.toBe(id);

  const quote = z
    .looseObject({ id: z.string(), totalCents: z.int() })
    .parse((await client.post('/api/quotes', order)).body);
  const place = () => client.post(`/api/quotes/${quote.id}/place`, { expectedTotalCents: quote.totalCents });
  const placed = idOf(await place());
  expect(idOf(await place())).toBe(placed);

  const cart = await openCart(buyer, projectId);
  await saveCartItems(buyer, cart.id, {
    items: [{ siteId, brief: { anchor: 'garden spade' } }],
    version: cart.version,
  });
  const heldCart = idOf(await client.post(`/api/user/carts/${cart.id}/order`, {}));
  expect(await db().$count(cartItems, eq(cartItems.cartId, cart.id))).toBe(0);
  const emptied = await openCart(buyer, projectId);
  expect(await db().$count(orderRequests, eq(orderRequests.accountId, buyer.accountId))).toBe(4);

  expect((await client.post(`/api/user/requests/${heldCart}/decline`, {})).status).toBe(200);
  const { version, ...returned } = await openCart(buyer, projectId);
  expect(version).toBeGreaterThan(emptied.version);
  expect(returned.items).toMatchObject([{ siteId, brief: { anchor: 'garden spade' }, state: 'ok' }]);

  const approved = await client.post(`/api/user/requests/${id}/approve`, { shownTotalCents: 5_000 });
  expect([approved.status, approved.body]).toMatchObject([
    200,
    { state: 'approved', lines: [{ siteId, cents: 5_000 }] },
  ]);
  expect((await client.post(`/api/user/requests/${id}/decline`, {})).status).toBe(409);
  const listed = await client.get(`/api/user/requests?state=open&projectId=${projectId}&limit=2`);
  expect(z.array(heldAnswer.shape.request).parse(listed.body)).toHaveLength(2);
  expect((await client.get('/api/user/requests?state=closed')).status).toBe(400);
});
