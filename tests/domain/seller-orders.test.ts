import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { type PlacementState, placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { getSellerFrame, getSellerWork } from '@/lib/dashboard/seller';
import { listEarningEntries } from '@/lib/earnings/statement';
import { parseIdCursor } from '@/lib/id-cursor';
import { placementTabNames } from '@/lib/orders/contract';
import { listNewestChecks } from '@/lib/orders/link-checks/queries';
import { deleteOrder } from '@/lib/orders/order/delete';
import { countSellerOrders, getSellerOrder, listDueOrders, listSellerOrders } from '@/lib/orders/order/seller-queries';
import { makeLinkCheck } from '@/tests/factories/make-link-check';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';

/** Makes an order of a website with a placement in a state. */
async function make(
  seller: Actor,
  state: PlacementState,
  website: string,
  due: Partial<typeof placements.$inferInsert> = {},
) {
  const { id } = await makePlacement(state, { seller });
  await db().update(orders).set({ website, projectDomain: 'garden-shop.example' }).where(eq(orders.id, id));
  if (Object.keys(due).length > 0) await db().update(placements).set(due).where(eq(placements.orderId, id));
  return id;
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const idsOf = async (seller: Actor, filter: { state?: (typeof placementTabNames)[number]; q?: string }) =>
  (await listSellerOrders(seller, { limit: 10, ...filter })).rows.map(({ id }) => id);

describe("a seller's orders", () => {
  it('are in the tab of their state, newest first, with the number of each tab', async () => {
    const [seller, other] = [await makeUser('Seller'), await makeUser('Seller')];
    await make(other, 'offered', 'https://other.example');
    const made: Partial<Record<PlacementState, number>> = {};
    const states = [
      'offered',
      'accepted',
      'in_revision',
      'delivered',
      'disputed',
      'approved',
      'closed',
      'declined',
    ] as const;
    for (const state of states) made[state] = await make(seller, state, `https://${state.replace('_', '-')}.example`);
    expect(await idsOf(seller, { state: 'new' })).toEqual([made.offered]);
    expect(await idsOf(seller, { state: 'publish' })).toEqual([made.in_revision, made.accepted]);
    expect(await idsOf(seller, { state: 'review' })).toEqual([made.disputed, made.delivered]);
    expect(await idsOf(seller, { state: 'guarantee' })).toEqual([made.approved]);
    expect(await idsOf(seller, { state: 'closed' })).toEqual([made.declined, made.closed]);
    const counts = await Promise.all(placementTabNames.map((state) => countSellerOrders(seller.userId, { state })));
    expect(counts.map(({ total }) => total)).toEqual([1, 2, 2, 0, 0, 1, 2]);
    const page = await listSellerOrders(seller, { limit: 1, state: 'publish' });
    const cursor = { toward: 'next', id: page.next?.slice('next.'.length) ?? '' } as const;
    expect((await listSellerOrders(seller, { limit: 1, state: 'publish', cursor })).rows).toMatchObject([
      { id: made.accepted },
    ]);
  });

  it('to answer and to publish begin with those that are due first, on every page', async () => {
    const [seller, other] = [await makeUser('Seller'), await makeUser('Seller')];
    const due = inHours(40);
    const made = [
      await make(seller, 'accepted', 'https://later.example', { deliveryDueAt: inHours(90) }),
      await make(seller, 'in_revision', 'https://late.example', { deliveryDueAt: inHours(-30) }),
      await make(seller, 'accepted', 'https://same.example', { deliveryDueAt: due }),
      await make(seller, 'accepted', 'https://same-too.example', { deliveryDueAt: due }),
      await make(seller, 'in_revision', 'https://latest.example', { deliveryDueAt: inHours(-2) }),
    ];
    const [later, late, same, sameToo, latest] = made;
    await make(other, 'accepted', 'https://other.example', { deliveryDueAt: inHours(-90) });
    const deleted = await make(seller, 'accepted', 'https://deleted.example', { deliveryDueAt: inHours(-80) });
    await deleteOrder(await makeUser('Admin'), deleted);
    const offers = [
      await make(seller, 'offered', 'https://b.example', { answerDueAt: inHours(20) }),
      await make(seller, 'offered', 'https://a.example', { answerDueAt: inHours(3) }),
    ];
    const found = await listDueOrders(seller, 'new', { limit: 10 });
    expect(found.rows.map(({ id }) => id)).toEqual([...offers].reverse());
    const all = [late, latest, same, sameToo, later];
    for (const limit of [1, 2, 5]) {
      for (const direction of ['next', 'previous'] as const) {
        const pages: number[][] = [];
        let cursor = direction === 'next' ? undefined : parseIdCursor('last');
        for (let link: string | null = ''; link !== null; cursor = link === null ? null : parseIdCursor(link)) {
          const page = await listDueOrders(seller, 'publish', { limit, cursor: cursor ?? undefined });
          expect(page).toMatchObject({ total: 5, isCapped: false });
          pages.push(page.rows.map(({ id }) => id));
          link = page[direction];
        }
        expect((direction === 'next' ? pages : pages.reverse()).flat()).toEqual(all);
      }
    }
    const second = await listDueOrders(seller, 'publish', { limit: 2, offset: 2 });
    expect(second.rows.map(({ id }) => id)).toEqual([same, sameToo]);
  });

  it('are in the tab of links to repair while a check says so, also when they are searched there', async () => {
    const [seller, other] = [await makeUser('Seller'), await makeUser('Seller')];
    const watch = async (owner: Actor, found: Partial<typeof linkWatches.$inferInsert>) => {
      const { id } = await makePlacement('approved', { seller: owner });
      await db()
        .update(linkWatches)
        .set({ checkedAt: new Date(), ...found })
        .where(eq(linkWatches.orderId, id));
      return id;
    };
    const changed = await watch(seller, { verdict: 'changed' });
    await watch(seller, { verdict: 'ok' });
    await watch(seller, { verdict: 'broken' });
    const confirmed = await watch(seller, { verdict: 'unknown', brokenConfirmedAt: new Date() });
    await watch(seller, { verdict: 'changed', endedAt: new Date() });
    const foreign = await watch(other, { verdict: 'changed' });
    expect(await idsOf(seller, { state: 'repair' })).toEqual([confirmed, changed]);
    expect(await countSellerOrders(seller.userId, { state: 'repair' })).toEqual({ total: 2, isCapped: false });
    expect(await idsOf(seller, { state: 'repair', q: `#${changed}` })).toEqual([changed]);
    expect(await idsOf(seller, { state: 'repair', q: `#${foreign}` })).toEqual([]);
    await makeLinkCheck(changed, { verdict: 'changed', reasons: ['rel_changed'] });
    await makeLinkCheck(confirmed, { verdict: 'unknown', reasons: ['timeout'] });
    const found = await listNewestChecks([changed, confirmed]);
    expect(found.get(changed)).toMatchObject({ verdict: 'changed', reasons: ['rel_changed'] });
    expect(found.get(confirmed)).toMatchObject({ verdict: 'unknown', reasons: ['timeout'] });
  });

  it("are found by number and website, and not by the buyer's project or among others' orders", async () => {
    const [seller, other] = [await makeUser('Seller'), await makeUser('Seller')];
    const first = await make(seller, 'offered', 'https://alpha.example');
    const second = await make(seller, 'closed', 'https://beta.example');
    const foreign = await make(other, 'offered', 'https://alpha.example');
    expect(await idsOf(seller, { q: 'ALPHA' })).toEqual([first]);
    expect(await idsOf(seller, { q: 'example' })).toEqual([second, first]);
    expect(await idsOf(seller, { q: `#${second}` })).toEqual([second]);
    expect(await idsOf(seller, { q: `#${foreign}` })).toEqual([]);
    expect(await idsOf(seller, { q: 'garden' })).toEqual([]);
    expect(await idsOf(seller, { q: 'a%a' })).toEqual([]);
    expect(await countSellerOrders(seller.userId, { q: 'example' })).toEqual({ total: 2, isCapped: false });
  });

  it('are without those that staff deleted, whatever their state', async () => {
    const seller = await makeUser('Seller');
    const [offered, approved, closed, kept] = [
      await make(seller, 'offered', 'https://offered.example'),
      await make(seller, 'approved', 'https://approved.example'),
      await make(seller, 'closed', 'https://closed.example'),
      await make(seller, 'approved', 'https://kept.example'),
    ];
    for (const id of [offered, approved, closed]) await deleteOrder(await makeUser('Admin'), id);
    expect(await idsOf(seller, {})).toEqual([kept]);
    expect(await idsOf(seller, { state: 'closed' })).toEqual([]);
    expect(await idsOf(seller, { q: 'example' })).toEqual([kept]);
    expect(await idsOf(seller, { q: `#${approved}` })).toEqual([]);
    expect(await countSellerOrders(seller.userId, {})).toEqual({ total: 1, isCapped: false });
    await expect(getSellerOrder(seller, approved)).rejects.toMatchObject({ code: 'not_found' });
    const { rows } = await listEarningEntries(seller.userId, { limit: 10 });
    expect(rows.map(({ orderId, kind, hasPage }) => [orderId, kind, hasPage])).toEqual([
      // The rest of the share became payable when the order was deleted.
      [approved, 'ripened', false],
      [kept, 'ripened', true],
      [kept, 'earned', true],
      [closed, 'ripened', false],
      [closed, 'ripened', false],
      [closed, 'earned', false],
      [approved, 'ripened', false],
      [approved, 'earned', false],
    ]);
  });

  it('are counted for the menu, and those that are due next come first on the dashboard', async () => {
    const seller = await makeUser('Seller');
    expect(await getSellerFrame(seller)).toMatchObject({ toAnswer: { total: 0 } });
    const later = await make(seller, 'offered', 'https://later.example', { answerDueAt: inHours(30) });
    const soon = await make(seller, 'accepted', 'https://soon.example', { deliveryDueAt: inHours(5) });
    const late = await make(seller, 'in_revision', 'https://late.example', { deliveryDueAt: inHours(-2) });
    await make(seller, 'delivered', 'https://delivered.example');
    const { toAnswer, toPublish, next } = await getSellerWork(seller.userId);
    expect([toAnswer.total, toPublish.total]).toEqual([1, 2]);
    expect(next.map(({ id, work }) => [id, work])).toEqual([
      [late, 'publication'],
      [soon, 'publication'],
      [later, 'offer'],
    ]);
    const frame = await getSellerFrame({ ...seller });
    expect(frame.toAnswer).toEqual({ total: 1, isCapped: false });
  });
});
