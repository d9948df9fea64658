import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { notices } from '@/db/schema/notices';
import { type PlacementState, placementStates, placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { getWaitingOrders } from '@/lib/dashboard/attention';
import { parseIdCursor } from '@/lib/id-cursor';
import { postMessage } from '@/lib/orders/messages/post';
import { markRead } from '@/lib/orders/messages/room';
import { deleteOrder } from '@/lib/orders/order/delete';
import { listOrders } from '@/lib/orders/order/queries';
import { makeOrder } from '@/tests/factories/make-order';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';

let buyer: Actor;
let seller: Actor;
beforeEach(async () => {
  [buyer, seller] = [await makeUser(), await makeUser('Seller')];
});

const place = async (state: PlacementState, changes: Partial<typeof placements.$inferInsert> = {}) => {
  const { id } = await makePlacement(state, { buyer, seller });
  if (Object.keys(changes).length > 0) await db().update(placements).set(changes).where(eq(placements.orderId, id));
  return id;
};
const waiting = async (filter: Parameters<typeof listOrders>[1] = { limit: 50 }) => {
  const { rows, ...page } = await listOrders(buyer, { ...filter, isWaiting: true });
  return { ids: rows.map(({ id }) => id), ...page };
};

it('lists exactly the placements that wait for the buyer', async () => {
  const now = new Date();
  const asked = { extensionAskedAt: now, extensionDays: 3 };
  const expected = [
    await place('delivered'),
    await place('disputed'),
    await place('accepted', asked),
    await place('in_revision', asked),
    await place('accepted', { releasedAt: now }),
    await place('accepted', { deliveryDueAt: new Date(now.getTime() - 60_000), remindedAt: now }),
  ];
  await place('accepted', { ...asked, extensionGrantedAt: now });
  await place('accepted', { ...asked, extensionRefusedAt: now });
  // A reminder before the due day.
  await place('accepted', { deliveryDueAt: new Date(now.getTime() + 60_000), remindedAt: now });
  await place('offered', asked);
  for (const state of placementStates) if (!['delivered', 'disputed'].includes(state)) await place(state);
  await makePlacement('delivered');
  const { ids, total } = await waiting();
  expect([ids, total]).toEqual([expected.reverse(), 6]);
  expect(await getWaitingOrders(buyer.userId)).toMatchObject({ total: 6, isCapped: false, orders: { length: 5 } });
});

it('lists orders with unread messages, once, until they are read', async () => {
  const delivered = await place('delivered');
  const quiet = await place('approved');
  for (const id of [delivered, quiet]) await postMessage(seller, 'seller', id, { text: 'Hello', files: [] });
  const plain = await makeOrder(1_000);
  await postMessage(await makeUser('Admin'), 'staff', plain.id, { text: 'Hello', files: [] });
  expect((await waiting()).ids).toEqual([quiet, delivered]);
  expect((await listOrders(plain.buyer, { isWaiting: true, limit: 5 })).rows.map(({ id }) => id)).toEqual([plain.id]);
  expect((await getWaitingOrders(buyer.userId)).orders.map(({ unread }) => unread)).toEqual([1, 1]);
  await markRead(buyer, { side: 'buyer', orderId: quiet, messageId: Number.MAX_SAFE_INTEGER });
  expect((await waiting()).ids).toEqual([delivered]);
  await deleteOrder(await makeUser('Admin'), plain.id);
  expect((await listOrders(plain.buyer, { isWaiting: true, limit: 5 })).total).toBe(0);
});

it('pages by cursor in both directions, and combines with other filters', async () => {
  const ids: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    ids.unshift(await place('delivered'));
    await place('approved');
  }
  const pageAt = async (cursor?: string | null) =>
    waiting({ limit: 3, cursor: (cursor && parseIdCursor(cursor)) || undefined });
  const first = await pageAt();
  const second = await pageAt(first.next);
  const third = await pageAt(second.next);
  expect([first.ids, second.ids, third.ids]).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
  expect(third.next).toBeNull();
  expect((await pageAt(third.previous)).ids).toEqual(second.ids);
  expect((await pageAt('last')).ids).toEqual(ids.slice(4));
  expect((await waiting({ limit: 3, offset: 5 })).ids).toEqual(ids.slice(5));
  expect((await waiting({ limit: 50, q: `#${ids[4]}` })).ids).toEqual([ids[4]]);
  expect((await waiting({ limit: 50, status: 'Rejected' })).total).toBe(0);
});

it('the bell announces the first unread message of a room', async () => {
  const id = await place('accepted');
  const say = () => postMessage(seller, 'seller', id, { text: 'Hello', files: [] });
  const bell = () => db().select().from(notices).where(eq(notices.userId, buyer.userId));
  await say();
  await say();
  expect(await bell()).toMatchObject([
    { kind: 'order.message', orderId: id, subject: expect.stringContaining(`#${id}`) },
  ]);
  await markRead(buyer, { side: 'buyer', orderId: id, messageId: Number.MAX_SAFE_INTEGER });
  await say();
  expect(await bell()).toHaveLength(2);
  await postMessage(buyer, 'buyer', id, { text: 'Hi', files: [] });
  const ofSeller = db().select().from(notices).where(sql`user_id = ${seller.userId} and kind = 'placement.message'`);
  expect(await ofSeller).toHaveLength(1);
});
