import { eq, sql } from 'drizzle-orm';
import Papa from 'papaparse';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { getAttention } from '@/lib/dashboard/attention';
import { type IdCursor, parseIdCursor } from '@/lib/id-cursor';
import { adminOrderView } from '@/lib/orders/contract';
import { postMessage } from '@/lib/orders/messages/post';
import { findRoom, type RoomSide } from '@/lib/orders/messages/room';
import { getRoomPage } from '@/lib/orders/messages/stream';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { type AdminOrdersFilter, findOrders, listAllOrders } from '@/lib/orders/order/desk-queries';
import { exportOrders } from '@/lib/orders/order/export';
import { saveBrief } from '@/lib/orders/order/write-briefs';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { movePlacement } from '@/lib/orders/placements/transition';
import { searchPalette } from '@/lib/search/palette';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeDispute } from '@/tests/factories/make-dispute';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeOrder } from '@/tests/factories/make-order';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeProject } from '@/tests/factories/make-project';
import { makeUser } from '@/tests/factories/make-user';

const hour = (hours: number) => sql`now() + make_interval(hours => ${hours})`;
const setDue = (orderId: number, hours: number) =>
  db()
    .update(placements)
    .set({ deliveryDueAt: hour(hours) })
    .where(eq(placements.orderId, orderId));

/** The orders of the tests, by a name. */
const ids = { staff: 0, offered: 0, late: 0, later: 0, soon: 0, disputed: 0, takenOver: 0 };
const seller = await makeUser('Seller', { name: 'Nora Publisher' });

beforeAll(async () => {
  ids.staff = (await makeOrder(1_000)).id;
  ids.offered = (await makePlacement('offered', { seller })).id;
  ids.late = (await makePlacement('accepted', { seller })).id;
  ids.later = (await makePlacement('in_revision', { seller })).id;
  ids.soon = (await makePlacement('accepted', { seller })).id;
  await setDue(ids.late, -30);
  await setDue(ids.later, -60);
  await setDue(ids.soon, 5 * 24);
  ids.disputed = (await makeDispute('delivered', { seller })).orderId;
  const offer = await makeOffer(2_000);
  ids.takenOver = offer.id;
  const admin = await makeUser('Admin');
  await db().transaction(async (tx) => {
    const locked = await lockPlacement(tx, offer.id);
    await movePlacement(tx, admin, locked, { action: 'taken_over', role: 'staff' });
  });
  const deleted = await makePlacement('declined', { seller });
  await deleteOrder(admin, deleted.id);
});

const list = async (filter: AdminOrdersFilter) => {
  const { rows, total } = await listAllOrders({ ...filter, limit: 50 });
  expect(total).toBe(rows.length);
  return rows.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0]);
};

describe('the desk', () => {
  it('filters by who fulfills an order, newest first', async () => {
    expect(await list({ fulfilledBy: 'staff' })).toEqual(['takenOver', 'staff']);
    const ofSeller = ['disputed', 'soon', 'later', 'late', 'offered'];
    expect(await list({ fulfilledBy: 'seller' })).toEqual(ofSeller);
    expect(await list({ fulfilledBy: seller.userId })).toEqual(ofSeller);
    expect(await list({ fulfilledBy: 'unknown' })).toEqual([]);
  });

  it('filters by state and mark, and late deliveries by their day', async () => {
    expect(await list({ state: 'accepted' })).toEqual(['soon', 'late']);
    expect(await list({ state: 'declined' })).toEqual([]);
    expect(await list({ mark: 'disputed' })).toEqual(['disputed']);
    expect(await list({ mark: 'late' })).toEqual(['later', 'late']);
    expect(await list({ due: 'week' })).toEqual(['soon']);
    expect(await list({ due: 'today' })).toEqual([]);
    await setDue(ids.soon, 0);
    await db()
      .update(placements)
      .set({
        deliveryDueAt: sql`(date_trunc('day', now() at time zone 'UTC') at time zone 'UTC') + interval '86399 s'`,
      })
      .where(eq(placements.orderId, ids.soon));
    expect(await list({ due: 'today' })).toEqual(['soon']);
    await setDue(ids.soon, 5 * 24);
  });

  it('combines filters, a search and cursors', async () => {
    expect(await list({ mark: 'late', state: 'accepted' })).toEqual(['late']);
    expect(await list({ fulfilledBy: seller.userId, status: 'Processing' })).toEqual(['disputed']);
    expect(await list({ q: 'nora publisher', mark: 'late' })).toEqual(['later', 'late']);
    expect(await list({ q: 'nora publisher' })).toHaveLength(5);
    expect(await list({ q: `#${ids.late}`, fulfilledBy: 'seller' })).toEqual(['late']);
    const first = await listAllOrders({ mark: 'late', limit: 1 });
    expect(first.rows.map(({ id }) => id)).toEqual([ids.later]);
    const id = first.next?.slice('next.'.length) ?? '';
    const second = await listAllOrders({ mark: 'late', limit: 1, cursor: { toward: 'next', id } });
    expect(second.rows.map((row) => row.id)).toEqual([ids.late]);
    const back = await listAllOrders({ mark: 'late', limit: 1, cursor: { toward: 'previous', id: String(ids.late) } });
    expect(back.rows.map((row) => row.id)).toEqual([ids.later]);
  });

  it('sorts by a column, through pages in both directions', async () => {
    await db().update(orders).set({ chargedCents: 5_000 }).where(eq(orders.id, ids.later));
    const walk = async (
      filter: AdminOrdersFilter & { sort: 'id' | 'charged' | 'status' | 'due' },
      order: 'asc' | 'desc',
    ) => {
      const found: number[] = [];
      let cursor: IdCursor | undefined;
      do {
        const page = await listAllOrders({ ...filter, order, limit: 2, cursor });
        found.push(...page.rows.map(({ id }) => id));
        cursor = page.next ? (parseIdCursor(page.next) ?? undefined) : undefined;
      } while (cursor);
      expect((await listAllOrders({ ...filter, order, limit: 3, offset: 2 })).rows.map(({ id }) => id)).toEqual(
        found.slice(2, 5),
      );
      return found.map((id) => Object.entries(ids).find(([, known]) => known === id)?.[0]);
    };
    const byNumber = ['staff', 'offered', 'late', 'later', 'soon', 'disputed', 'takenOver'];
    expect(await walk({ sort: 'id' }, 'asc')).toEqual(byNumber);
    expect(await walk({ sort: 'id' }, 'desc')).toEqual(byNumber.toReversed());
    expect((await walk({ sort: 'charged' }, 'desc')).slice(0, 2)).toEqual(['later', 'takenOver']);
    // Orders without a delivery that is due are last.
    expect((await walk({ sort: 'due' }, 'asc')).slice(0, 3)).toEqual(['later', 'late', 'soon']);
    expect((await walk({ sort: 'due' }, 'desc')).slice(0, 3)).toEqual(['soon', 'late', 'later']);
    expect(await walk({ sort: 'due', state: 'disputed' }, 'asc')).toEqual(['disputed']);
    expect(await walk({ sort: 'charged', q: 'nora publisher', mark: 'late' }, 'desc')).toEqual(['later', 'late']);
    for (const order of ['asc', 'desc'] as const)
      expect((await walk({ sort: 'status' }, order)).sort()).toEqual(byNumber.toSorted());
    await db().update(orders).set({ chargedCents: 1_000 }).where(eq(orders.id, ids.later));
  });

  it('shows the seller and the earnings of an order with a placement, and nothing of others', async () => {
    const { rows } = await listAllOrders({ limit: 50 });
    const views = new Map(rows.map((row) => [row.id, adminOrderView(row)]));
    expect(views.get(ids.late)).toMatchObject({
      fulfilledBy: 'seller',
      sellerName: 'Nora Publisher',
      sellerEmail: seller.email,
      earnsCents: 600,
    });
    expect(views.get(ids.takenOver)).toMatchObject({ fulfilledBy: 'staff', earnsCents: 0 });
    expect(Object.keys(views.get(ids.staff) ?? {})).not.toContain('fulfilledBy');
  });

  it('exports the columns of placements for the same filters, newest first', async () => {
    let csv = '';
    for await (const chunk of exportOrders({ mark: 'late' })) csv += chunk;
    const { data } = Papa.parse<Record<string, string>>(csv.slice(1), { header: true, skipEmptyLines: true });
    expect(data.map((row) => row.Order)).toEqual([String(ids.later), String(ids.late)]);
    expect(data[0]).toMatchObject({
      'Fulfilled By': 'Nora Publisher',
      'Seller Email': seller.email,
      'Seller Earns USD': '6.00',
      Placement: 'in_revision',
    });
  });

  it('is found by the seller in the command palette, with its mark', async () => {
    expect((await findOrders(seller.email, 9)).map(({ id }) => id)).toContain(ids.late);
    const hits = await searchPalette(await makeUser('Admin'), { q: `#${ids.late}` });
    expect(hits.find(({ kind }) => kind === 'order')?.detail).toMatch(/^Late · .* · Nora Publisher$/);
  });

  it('counts late deliveries, and disputes that are open for a day, for the attention of staff', async () => {
    const before = await getAttention();
    expect(before).toMatchObject({ lateOrders: { total: 2 }, overdueDisputes: { total: 0 } });
    await db().execute(sql`update disputes set created_at = now() - interval '25 hours'`);
    expect((await getAttention()).overdueDisputes).toEqual({ total: 1, isCapped: false });
  });

  it('finds the orders in which buyer or seller wrote contact data: in a message, a reason or the brief', async () => {
    const people = { buyer: await makeUser(), seller };
    const [inMessage, inReason, inBrief, inNewBrief, ofStaff] = [
      await makeOffer(2_000, {}, people),
      await makeOffer(2_000, {}, people),
      await makeOffer(2_000, {}, people),
      await makeOffer(2_000, {}, people),
      await makeOffer(2_000, {}, people),
    ];
    const words = 'Write to jo@example.com';
    const admin = await makeUser('Admin');
    const say = (actor: Actor, side: RoomSide, id: number) => postMessage(actor, side, id, { text: words, files: [] });
    await say(people.buyer, 'buyer', inMessage.id);
    await say(admin, 'staff', ofStaff.id);
    const step = { action: 'declined', role: 'seller', reason: words } as const;
    await db().transaction(async (tx) => {
      await movePlacement(tx, seller, await lockPlacement(tx, inReason.id), step);
    });
    await saveBrief(people.buyer, inBrief.id, { notes: words });
    await fundWallet(people.buyer.userId, 2_000);
    const projectId = await makeProject(people.buyer);
    const { orders: made } = await createOrder(people.buyer, {
      ...{ kind: 'custom', projectId, siteIds: [inNewBrief.siteId] },
      brief: { notes: words },
    });
    const found = [made[0]?.id, inBrief.id, inReason.id, inMessage.id];
    const { rows, total } = await listAllOrders({ mark: 'contact', limit: 50 });
    expect(rows.map(({ id }) => id)).toEqual(found);
    expect(total).toBe(4);
    expect((await listAllOrders({ mark: 'contact', status: 'Refunded', limit: 50 })).rows).toHaveLength(1);
    const room = await getRoomPage(admin, await findRoom(admin, 'staff', inReason.id));
    expect(room.entries.at(-1)).toMatchObject({ note: words, hasContactData: true });
    expect((await getAttention()).contactDataOrders.total).toBe(4);
    await db().execute(sql`update orders set contact_data_at = now() - interval '8 days' where id = ${inBrief.id}`);
    expect((await getAttention()).contactDataOrders.total).toBe(3);
  });
});
