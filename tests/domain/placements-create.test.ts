import { asc, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { notices } from '@/db/schema/notices';
import { placementEvents, placements } from '@/db/schema/placements';
import { exchangeRates, settings } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { newId } from '@/lib/ids';
import { orderView } from '@/lib/orders/contract';
import { createOrder } from '@/lib/orders/order/create';
import { getOrder, listOrders } from '@/lib/orders/order/queries';
import { getPlacementRules, savePlacementRules } from '@/lib/settings/placement-rules';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';

const placementOf = async (orderId: number) =>
  (await db().select().from(placements).where(eq(placements.orderId, orderId)))[0];

/** The account kinds that the payment of an order moved money between. */
const routeOf = async (orderId: number) => {
  const [row] = await db().execute<{ route: string }>(sql`
    select f.kind || ' → ' || g.kind || ' ' || t.amount_cents as route from ledger.transfers t
    join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
    where t.key = ${`order:${orderId}`}`);
  return row?.route;
};

describe('an order of a site that its owner fulfills', () => {
  it('is offered to the owner with both shares, and its charge is reserved', async () => {
    const { id, buyer, seller } = await makeOffer(10_001, { tatDays: 5 });
    const placement = await placementOf(id);
    expect(placement).toMatchObject({
      sellerId: seller.userId,
      state: 'offered',
      sellerCents: 5_000,
      marginCents: 5_001,
      turnaroundDays: 5,
      deliveryDueAt: null,
      version: 1,
    });
    const hours = (placement ? placement.answerDueAt.getTime() - placement.createdAt.getTime() : 0) / 3_600_000;
    expect(hours).toBeCloseTo(72, 5);
    expect(await routeOf(id)).toBe('wallet → reserved 10001');
    const events = await db()
      .select()
      .from(placementEvents)
      .where(eq(placementEvents.orderId, id))
      .orderBy(asc(placementEvents.id));
    expect(events).toMatchObject([
      { action: 'ordered', fromState: null, toState: 'offered', actorId: buyer.userId, role: 'buyer' },
    ]);
  });

  it('shows the buyer the placement, without the seller and the shares', async () => {
    const { id, buyer, seller } = await makeOffer();
    const view = orderView(await getOrder(buyer, id));
    expect(view.placement).toMatchObject({
      state: 'offered',
      deliveredUrl: null,
      deliveryReason: null,
      revisionsLeft: 3,
      version: 1,
      disputeId: null,
      extension: null,
      isLate: false,
      mayCancel: true,
    });
    expect(view.brief).toMatchObject({ anchor: '', writer: 'seller', rel: 'any' });
    const text = JSON.stringify(view);
    for (const secret of [seller.userId, seller.email, 'sellerCents', 'marginCents', '5000'])
      expect(text).not.toContain(secret);
    const { rows } = await listOrders(buyer, { limit: 5 });
    expect(rows.map(orderView)).toEqual([view]);
  });

  it('notifies the seller by bell and one mail for all sites of a checkout, without the buyer', async () => {
    const [buyer, seller] = await Promise.all([makeUser(), makeUser('Seller')]);
    await fundWallet(buyer.userId, 10_000);
    const values = { isFulfilledByStaff: false };
    const siteIds = [await makeSite(seller.userId, 1_000, values), await makeSite(seller.userId, 2_000, values)];
    const projectId = await makeProject(buyer, { domain: 'secret-project.example' });
    await createOrder(buyer, { kind: 'custom', projectId, siteIds });
    const bell = await db().select().from(notices).where(eq(notices.userId, seller.userId));
    expect(bell.map(({ kind }) => kind)).toEqual(['placement.offered', 'placement.offered']);
    const [mail, ...more] = await outboxOf(seller.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('2 new orders');
    const text = mail && 'text' in mail ? mail.text : '';
    expect(text).toContain('you earn $5.00');
    for (const secret of ['secret-project', buyer.name, buyer.email, '$20.00'])
      expect(mail?.text).not.toContain(secret);
  });

  it.each([
    ['its site is fulfilled by staff', { isFulfilledByStaff: true }],
    ['its site has no seller price', { sellerPriceCents: null }],
    ['its seller price is 0', { sellerPriceCents: 0 }],
    ['its seller price is above the charge', { sellerPriceCents: 10_001 }],
  ])('has no placement when %s', async (_, site) => {
    const { id, buyer } = await makeOffer(10_000, site);
    expect(await placementOf(id)).toBeUndefined();
    expect(await routeOf(id)).toBe('wallet → revenue 10000');
    expect(orderView(await getOrder(buyer, id)).placement).toBeNull();
  });

  it.each([
    ['is suspended', { status: 'Suspended' as const }],
    ['is deleted', { deletedAt: new Date() }],
    ['is no seller', { role: 'User' }],
  ])('has no placement when the owner %s', async (_, values) => {
    const { siteId, seller } = await makeOffer();
    await db().update(users).set(values).where(eq(users.id, seller.userId));
    const other = await makeUser();
    await fundWallet(other.userId, 10_000);
    const projectId = await makeProject(other);
    const { orders } = await createOrder(other, { kind: 'custom', projectId, siteIds: [siteId] });
    expect(await placementOf(orders[0]?.id ?? 0)).toBeUndefined();
  });

  it('has no placement when the owner orders it, or when its price is not in USD', async () => {
    const { siteId, seller } = await makeOffer();
    await fundWallet(seller.userId, 10_000);
    const projectId = await makeProject(seller);
    const own = await createOrder(seller, { kind: 'custom', projectId, siteIds: [siteId] });
    expect(await placementOf(own.orders[0]?.id ?? 0)).toBeUndefined();
    await db().insert(exchangeRates).values({ id: newId(), currency: 'EUR', usdMicrosPerUnit: 1_100_000 });
    await db().update(sites).set({ publicCurrency: 'EUR' }).where(eq(sites.id, siteId));
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 50_000);
    const abroad = await createOrder(buyer, {
      kind: 'custom',
      projectId: await makeProject(buyer),
      siteIds: [siteId],
    });
    expect(await placementOf(abroad.orders[0]?.id ?? 0)).toBeUndefined();
  });
});

describe('the rules of placements', () => {
  it('start with the defaults, apply to new orders when saved, and refuse a stale version', async () => {
    const admin = await makeUser('Admin');
    const before = await getPlacementRules(db());
    expect(before).toMatchObject({ answerHours: 72, approveDays: 7, maxRevisions: 3, lateCancelDays: 14 });
    try {
      await savePlacementRules(admin, { ...before, answerHours: 10, maxRevisions: 1, version: 0 });
      const { id, buyer } = await makeOffer();
      const placement = await placementOf(id);
      const hours = (placement ? placement.answerDueAt.getTime() - placement.createdAt.getTime() : 0) / 3_600_000;
      expect(hours).toBeCloseTo(10, 5);
      expect(orderView(await getOrder(buyer, id)).placement?.revisionsLeft).toBe(1);
      await expect(savePlacementRules(admin, { ...before, version: 0 })).rejects.toMatchObject({ code: 'conflict' });
    } finally {
      await db().delete(settings).where(eq(settings.key, 'placement-rules'));
    }
  });
});
