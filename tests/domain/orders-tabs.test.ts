import { eq, sql } from 'drizzle-orm';
import Papa from 'papaparse';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { type LinkVerdict, linkWatches } from '@/db/schema/links';
import { notices } from '@/db/schema/notices';
import { orders } from '@/db/schema/orders';
import { type PlacementState, placementStates, placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { getWaitingOrders } from '@/lib/dashboard/attention';
import { parseIdCursor } from '@/lib/id-cursor';
import { type BuyerTab, buyerTabNames } from '@/lib/orders/contract';
import { listLinkStandings } from '@/lib/orders/link-checks/queries';
import { postMessage } from '@/lib/orders/messages/post';
import { markRead } from '@/lib/orders/messages/room';
import { answerOrdersBody } from '@/lib/orders/order/answer-orders';
import { approveDeliveries } from '@/lib/orders/order/approve-deliveries';
import { deleteOrder } from '@/lib/orders/order/delete';
import { countBuyerTabs, listInOrder, listOrders } from '@/lib/orders/order/queries';
import { buyerOrdersQuery, exportOwnOrders, toOwnFilter } from '@/lib/orders/own-export';
import { exportWalletTransactions } from '@/lib/wallet/export';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { makeOrder } from '@/tests/factories/make-order';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { withoutTimes } from '@/tests/setup/without-times';

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
  const { rows, ...page } = await listOrders(buyer, { ...filter, part: 'attention' });
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
  expect(await getWaitingOrders(buyer)).toMatchObject({ total: 6, isCapped: false, orders: { length: 5 } });
});

it('lists orders with unread messages, once, until they are read', async () => {
  const delivered = await place('delivered');
  const quiet = await place('approved');
  for (const id of [delivered, quiet]) await postMessage(seller, 'seller', id, { text: 'Hello', files: [] });
  const plain = await makeOrder(1_000);
  await postMessage(await makeUser('Admin'), 'staff', plain.id, { text: 'Hello', files: [] });
  expect((await waiting()).ids).toEqual([quiet, delivered]);
  expect((await listOrders(plain.buyer, { part: 'attention', limit: 5 })).rows.map(({ id }) => id)).toEqual([plain.id]);
  expect((await getWaitingOrders(buyer)).orders.map(({ unread }) => unread)).toEqual([1, 1]);
  await markRead(buyer, { side: 'buyer', orderId: quiet, messageId: Number.MAX_SAFE_INTEGER });
  expect((await waiting()).ids).toEqual([delivered]);
  await deleteOrder(await makeUser('Admin'), plain.id);
  expect((await listOrders(plain.buyer, { part: 'attention', limit: 5 })).total).toBe(0);
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

type TabRow = [state: PlacementState | 'staff', changes: object, tab: BuyerTab | null];
const readAll = async (pieces: AsyncIterable<string>) => {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
};
const day = 86_400_000;
const link = (verdict: LinkVerdict, more: object = {}) => ({ link: { verdict, ...more } });
const overdue = { placement: { deliveryDueAt: new Date(Date.now() - day) } };

/** Each state of an order, with the only tab that has it besides the one of all. */
const tabRows: TabRow[] = [
  ['offered', {}, 'waiting'],
  ['accepted', {}, 'waiting'],
  ['accepted', overdue, 'late'],
  ['in_revision', {}, 'waiting'],
  ['in_revision', overdue, 'late'],
  ['in_revision', link('broken'), 'waiting'],
  ['delivered', {}, 'review'],
  ['delivered', overdue, 'review'],
  ['delivered', link('broken'), 'review'],
  ['disputed', {}, 'waiting'],
  ['disputed', link('changed'), 'waiting'],
  ['approved', link('ok'), null],
  ['approved', link('changed'), 'repair'],
  ['approved', link('broken'), 'repair'],
  ['approved', link('unknown'), null],
  // A second check confirmed that it is missing, and a third cannot tell.
  ['approved', link('unknown', { repairDueAt: new Date() }), 'repair'],
  ['closed', link('broken'), null],
  ['lost', link('broken'), null],
  ['settled', { order: { status: 'Completed' } }, null],
  ['declined', {}, null],
  ['expired', {}, null],
  ['cancelled', {}, null],
  ['taken_over', {}, 'waiting'],
  // Staff changed the status of an order whose placement is over.
  ['declined', { order: { status: 'Processing' } }, 'waiting'],
  ['staff', {}, 'waiting'],
  ['staff', { order: { status: 'Processing' } }, 'waiting'],
  ['staff', { order: { status: 'Live' } }, null],
  ['staff', { order: { status: 'Rejected' } }, null],
];

describe('the tabs of My Orders', () => {
  const make = async (state: TabRow[0], changes: Record<string, object>, projectId?: string) => {
    const { id } =
      state === 'staff'
        ? { id: await placeForStaff(projectId) }
        : await makePlacement(state, { buyer, seller, sellerCents: 733, ...(projectId && { projectId }) });
    if (changes.placement) await db().update(placements).set(changes.placement).where(eq(placements.orderId, id));
    if (changes.order) await db().update(orders).set(changes.order).where(eq(orders.id, id));
    if (changes.link) await db().update(linkWatches).set(changes.link).where(eq(linkWatches.orderId, id));
    return id;
  };
  /** Makes an order that staff fulfill from one with a placement. */
  const placeForStaff = async (projectId?: string) => {
    const { id } = await makePlacement('taken_over', { buyer, seller, ...(projectId && { projectId }) });
    await db().delete(placements).where(eq(placements.orderId, id));
    return id;
  };
  const listed = async (filter: Parameters<typeof listOrders>[1]) =>
    (await listOrders(buyer, filter)).rows.map(({ id }) => id);

  it('an order of every state is in the right tab, and the numbers are those of the lists', async () => {
    const made: (readonly [number, BuyerTab | null])[] = [];
    for (const [state, changes, tab] of tabRows) made.push([await make(state, { ...changes }), tab]);
    // Of another buyer, and a deleted one.
    await makePlacement('delivered');
    await deleteOrder(await makeUser('Admin'), await make('offered', {}));
    const counts = await countBuyerTabs(buyer);
    for (const tab of buyerTabNames) {
      const expected = made.filter(([, own]) => own === tab).map(([id]) => id);
      expect([tab, await listed({ part: tab, limit: 100 })]).toEqual([tab, expected.reverse()]);
      expect(counts[tab]).toEqual({ total: expected.length, isCapped: false });
    }
    expect(counts.all.total).toBe(tabRows.length);
    expect((await listed({ limit: 100 })).length).toBe(tabRows.length);
  });

  it('their numbers follow the search, the status and the project, and their pages the cursor', async () => {
    const ids = [await make('delivered', {}), await make('delivered', {}), await make('delivered', {})];
    const [{ projectId = '' } = {}] = (await listOrders(buyer, { q: `#${ids[1]}`, limit: 1 })).rows;
    await make('offered', {}, projectId);
    expect(await countBuyerTabs(buyer, { projectId })).toMatchObject({ review: { total: 1 }, waiting: { total: 1 } });
    expect(await countBuyerTabs(buyer, { q: `#${ids[0]}` })).toMatchObject({ review: { total: 1 }, all: { total: 1 } });
    expect(await listed({ part: 'review', projectId, limit: 9 })).toEqual([ids[1]]);
    const first = await listOrders(buyer, { part: 'review', limit: 2 });
    const second = await listOrders(buyer, {
      ...{ part: 'review', limit: 2 },
      cursor: parseIdCursor(first.next ?? '') ?? undefined,
    });
    expect([first, second].map(({ rows }) => rows.map(({ id }) => id))).toEqual([[ids[2], ids[1]], [ids[0]]]);
  });

  it('the deliveries in order are those whose newest check found the link as ordered', async () => {
    const good = await make('delivered', link('ok'));
    for (const verdict of ['changed', 'broken', 'unknown'] as const) await make('delivered', link(verdict));
    await make('delivered', {});
    await make('approved', link('ok'));
    expect(await listInOrder(buyer, {})).toEqual([{ id: good, version: 1 }]);
  });

  it('the export has the orders of the screen, and nothing of the seller', async () => {
    for (const [state, changes] of tabRows.slice(0, 18)) await make(state, { ...changes });
    const [sample] = await listed({ part: 'repair', limit: 1 });
    for (const query of [{}, { tab: 'review' }, { tab: 'repair' }, { status: 'Completed' }, { q: `#${sample}` }]) {
      const filter = buyerOrdersQuery.parse(query);
      const csv = await readAll(exportOwnOrders(buyer, filter));
      const { data } = Papa.parse<Record<string, string>>(csv.replace(/^\ufeff/, ''), {
        header: true,
        skipEmptyLines: true,
      });
      expect(data.map((row) => Number(row.Order))).toEqual(await listed({ ...toOwnFilter(filter), limit: 500 }));
      expect(data.length).toBeGreaterThan(0);
      for (const secret of [seller.name, seller.email, '7.33']) expect(withoutTimes(csv)).not.toContain(secret);
    }
    expect(buyerOrdersQuery.safeParse({ tab: 'mine' }).success).toBe(false);
    expect(buyerOrdersQuery.safeParse({ status: 'Live' }).success).toBe(false);
  });

  it('the export of the wallet has the transactions of its search', async () => {
    const ids = [await make('offered', {}), await make('accepted', {})];
    for (const q of ['', `${ids[1]}`, 'nosuchword']) {
      const csv = await readAll(exportWalletTransactions(buyer.userId, q));
      const { data } = Papa.parse<Record<string, string>>(csv.replace(/^\ufeff/, ''), {
        header: true,
        skipEmptyLines: true,
      });
      const { rows } = await listWalletTransactions(buyer.userId, { q, limit: 100 });
      expect(data.map((row) => row.ID)).toEqual(rows.map(({ id }) => id));
      expect(csv).toContain('Amount (USD)');
    }
  });
});

describe('approving several deliveries', () => {
  it('answers for each, and a refused one does not undo the others', async () => {
    const good = [await place('delivered'), await place('delivered')];
    const refused = [await place('disputed'), await place('approved'), await place('in_revision')];
    const { id: foreign } = await makePlacement('delivered');
    const stale = await place('delivered');
    const { results } = await approveDeliveries(buyer, {
      ids: [...good, ...refused, foreign, stale, good[0] ?? 0],
      versions: { [stale]: 7 },
    });
    expect(results).toEqual([
      ...good.map((id) => ({ id, ok: true })),
      ...refused.map((id) => ({ id, ok: false, code: 'conflict', error: expect.stringContaining(`#${id}`) })),
      { id: foreign, ok: false, code: 'not_found', error: expect.stringContaining(`#${foreign}`) },
      { id: stale, ok: false, code: 'conflict', error: expect.any(String) },
    ]);
    const states = await db().select().from(placements).where(eq(placements.buyerId, buyer.userId));
    expect(new Map(states.map(({ orderId, state }) => [orderId, state]))).toEqual(
      new Map([
        ...good.map((id) => [id, 'approved'] as const),
        [refused[0], 'disputed'],
        [refused[1], 'approved'],
        [refused[2], 'in_revision'],
        [stale, 'delivered'],
      ]),
    );
  });

  it('twice at once approves each delivery once', async () => {
    const ids = [await place('delivered'), await place('delivered'), await place('delivered')];
    const both = await Promise.all([ids, [...ids].reverse()].map((some) => approveDeliveries(buyer, { ids: some })));
    for (const id of ids) {
      const answers = both.flatMap(({ results }) => results).filter((result) => result.id === id);
      expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true]);
    }
    const ripened = await db().select().from(placements).where(eq(placements.sellerId, seller.userId));
    expect(ripened.map(({ ripenCount, state }) => [ripenCount, state])).toEqual(ids.map(() => [1, 'approved']));
    expect(await listLinkStandings(ids)).toEqual(new Map());
  });

  it('is refused for bodies that are not 1 to 100 numbers of orders', () => {
    const tooMany = Array.from({ length: 101 }, (_, index) => index + 1);
    const isRead = (body: object) => answerOrdersBody.safeParse(body).success;
    expect([{ ids: [] }, { ids: tooMany }, { ids: ['1'] }, { ids: [0] }, { ids: [1.5] }].some(isRead)).toBe(false);
    expect(
      [
        { ids: [1], approveAll: true },
        { ids: [1], versions: { one: 1 } },
      ].some(isRead),
    ).toBe(false);
    expect([{ ids: [1] }, { ids: tooMany.slice(1), versions: { 2: 0 } }].every(isRead)).toBe(true);
  });
});
