import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { type OrderStatus, orderStatuses, orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { drBands, getDrSpread, getLinkFigures, listLostLinks, listNextDeliveries } from '@/lib/dashboard/buyer-figures';
import { deleteOrder } from '@/lib/orders/order/delete';
import { updateOrder } from '@/lib/orders/order/update';
import { sourceFigures } from '@/lib/sites/domain-figures/typed-figures';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeOrder } from '@/tests/factories/make-order';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { accept } from '@/tests/setup/placement-verbs';

const exact = (total: number) => ({ total, isCapped: false });
const none = exact(0);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const lastMonth = daysAgo(40);

it('counts the links that went live this month, by sellers and by staff', async () => {
  const buyer = await makeUser();
  const admin = await makeUser('Admin');
  for (const state of ['offered', 'delivered', 'approved', 'closed', 'lost'] as const)
    await makePlacement(state, { buyer });
  await makePlacement('settled', { buyer, isApproved: true, buyerPercent: 25 });
  await makePlacement('settled', { buyer, isApproved: false, buyerPercent: 100 });
  const { id: older } = await makePlacement('approved', { buyer });
  await db().update(placements).set({ approvedAt: lastMonth }).where(eq(placements.orderId, older));
  // Approved, closed and settled in part.
  expect((await getLinkFigures(buyer)).live).toEqual(exact(3));
  const { id: withdrawn } = await makePlacement('approved', { buyer });
  expect((await getLinkFigures(buyer)).live).toEqual(exact(4));
  await deleteOrder(admin, withdrawn);
  expect((await getLinkFigures(buyer)).live).toEqual(exact(3));

  await fundWallet(buyer.userId, 30_000);
  const live = async () => {
    const id = await spendMoney(buyer, 1_000);
    await updateOrder(admin, id, { linkUrl: `https://${id}.example.com/page` });
    return id;
  };
  const [, rejected, removed, deleted, old] = [await live(), await live(), await live(), await live(), await live()];
  expect((await getLinkFigures(buyer)).live).toEqual(exact(8));
  await updateOrder(admin, rejected, { status: 'Rejected' });
  await updateOrder(admin, removed, { linkUrl: '' });
  await deleteOrder(admin, deleted);
  await db().update(linkWatches).set({ startedAt: lastMonth }).where(eq(linkWatches.orderId, old));
  expect((await getLinkFigures(buyer)).live).toEqual(exact(4));
  expect((await getLinkFigures(await makeUser())).live).toEqual(none);
});

it('counts and lists the links that were lost this month, and those that are missing', async () => {
  const buyer = await makeUser();
  const lost = await makePlacement('lost', { buyer });
  const lostEarlier = await makePlacement('lost', { buyer });
  const missing = await makePlacement('approved', { buyer });
  const found = await makePlacement('approved', { buyer });
  await makePlacement('lost');
  const watchOf = ({ id }: { id: number }) => eq(linkWatches.orderId, id);
  await db().update(linkWatches).set({ endedAt: lastMonth }).where(watchOf(lostEarlier));
  await db()
    .update(linkWatches)
    .set({ verdict: 'broken', brokenSince: daysAgo(400) })
    .where(watchOf(missing));
  await db().update(linkWatches).set({ verdict: 'ok' }).where(watchOf(found));

  // A missing link is not live.
  expect(await getLinkFigures(buyer)).toMatchObject({ live: exact(1), lost: exact(1), missing: exact(1) });
  expect(await listLostLinks(buyer)).toMatchObject([
    { id: lost.id, lostAt: expect.any(Date), name: expect.stringContaining('.example.com') },
    { id: missing.id, lostAt: null, missingSince: expect.any(Date) },
  ]);
  expect(await listLostLinks(buyer, 1)).toHaveLength(1);
});

it("lists a buyer's next deliveries and answers, overdue ones first and without other buyers' and deleted orders", async () => {
  const buyer = await makeUser();
  const offered = await makeOffer(2_000, {}, { buyer });
  const accepted = await makeOffer(2_000, {}, { buyer });
  const overdue = await makeOffer(2_000, {}, { buyer });
  await makeOffer(2_000);
  await makePlacement('delivered', { buyer });
  for (const offer of [accepted, overdue]) await accept(offer);
  await db()
    .update(placements)
    .set({ deliveryDueAt: sql`now() - interval '1 hour'` })
    .where(eq(placements.orderId, overdue.id));
  await db()
    .update(placements)
    .set({ deliveryDueAt: sql`now() + interval '1 hour'` })
    .where(eq(placements.orderId, accepted.id));
  const list = await listNextDeliveries(buyer);
  expect(list.map(({ id, state, isLate }) => [id, state, isLate])).toEqual([
    [overdue.id, 'accepted', true],
    [accepted.id, 'accepted', false],
    [offered.id, 'offered', false],
  ]);
  expect(await listNextDeliveries(buyer, 1)).toHaveLength(1);
  await deleteOrder(await makeUser('Admin'), overdue.id);
  expect((await listNextDeliveries(buyer)).map(({ id }) => id)).toEqual([accepted.id, offered.id]);
});

it('counts the DR of the sites that a buyer bought as a plain count does', async () => {
  const { buyer } = await makeOrder(1_000, 1_000_000);
  const bought = fc.record({
    dr: fc.option(fc.integer({ min: 0, max: 1_000 }).map((tenths) => tenths / 10)),
    status: fc.constantFrom<OrderStatus>(...orderStatuses),
    isDeleted: fc.boolean(),
  });
  type Bought = { id: number; dr: number | null; isCounted: boolean };
  const all: Bought[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(bought, { minLength: 1, maxLength: 4 }), async (next) => {
      for (const { dr, status, isDeleted } of next) all.push(await buy(buyer, { dr, status, isDeleted }));
      const counted = all.filter(({ isCounted }) => isCounted);
      const plain = drBands.map(
        (from, index) =>
          counted.filter(({ dr }) => dr !== null && dr >= from && (index === drBands.length - 1 || dr < from + 10))
            .length,
      );
      // The first order is of a site without a DR.
      const unknown = counted.filter(({ dr }) => dr === null).length + 1;
      expect(await getDrSpread(buyer)).toEqual({ counts: plain, unknown, isCapped: false });
    }),
    { numRuns: propertyRuns(8) },
  );
});

async function buy(
  buyer: Actor,
  { dr, status, isDeleted }: { dr: number | null; status: OrderStatus; isDeleted: boolean },
) {
  const id = await spendMoney(buyer, 1_000);
  await db()
    .update(orders)
    .set({ status, ...(isDeleted && { deletedAt: new Date() }) })
    .where(eq(orders.id, id));
  await db()
    .update(sites)
    .set({ dr, figureSources: sourceFigures({ dr }, 'seller') })
    .where(eq(sites.id, sql`(select site_id from orders where id = ${id})`));
  return { id, dr, isCounted: !isDeleted && status !== 'Rejected' && status !== 'Refunded' };
}
