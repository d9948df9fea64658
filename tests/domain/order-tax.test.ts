import { and, asc, eq, inArray } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { approvals } from '@/db/schema/approvals';
import { auditLogs } from '@/db/schema/audit';
import { disputes } from '@/db/schema/disputes';
import { events } from '@/db/schema/events';
import { transfers } from '@/db/schema/ledger';
import { notices } from '@/db/schema/notices';
import { checkouts, orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { placementEvents } from '@/db/schema/placements';
import { settings } from '@/db/schema/settings';
import { orderTaxes, orderTaxReturns } from '@/db/schema/tax';
import { approve } from '@/lib/approvals/decide';
import { issueInvoices } from '@/lib/invoices/issue';
import { getWalletBalance } from '@/lib/ledger/balance';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { getCart, openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { adminOrderDetailsView } from '@/lib/orders/contract';
import { decideDispute } from '@/lib/orders/disputes/decide';
import { openDispute } from '@/lib/orders/disputes/open';
import { describeEvent } from '@/lib/orders/notices/timeline';
import { extendAsBuyer } from '@/lib/orders/order/authorize';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { getOrder } from '@/lib/orders/order/queries';
import { createQuote, placeQuote } from '@/lib/orders/order/quotes';
import { getSellerOrder, sellerOrderView } from '@/lib/orders/order/seller-queries';
import { updateOrder } from '@/lib/orders/order/update';
import { sellerChangeView } from '@/lib/orders/placements/changes/contract';
import { listChanges, viewChanges } from '@/lib/orders/placements/changes/queries';
import { approveRequest } from '@/lib/orders/requests/approve';
import { getRequest } from '@/lib/orders/requests/queries';
import { savePolicy } from '@/lib/orders/requests/save-limits';
import { saveOptionsBody } from '@/lib/sites/options/contract';
import { saveOptions } from '@/lib/sites/options/save';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { makeBillingProfile, turnTaxOff, turnTaxOn } from '@/tests/factories/turn-tax-on';
import { brokenBy } from '@/tests/setup/broken-by';
import * as changes from '@/tests/setup/change-verbs';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { checkLink, passLinkTime } from '@/tests/setup/link-checks';
import { outboxOf } from '@/tests/setup/outbox';
import * as verbs from '@/tests/setup/placement-verbs';
import { settle } from '@/tests/setup/settle';
import { getSpentThisMonth } from '@/tests/setup/spent-this-month';

const fundedCents = 100_000;
const day = 24 * 3_600_000;

// The rate of Poland is 23 %.
beforeEach(() => turnTaxOn());
afterEach(turnTaxOff);

async function scene(priceCents = 10_001) {
  const [buyer, seller, admin] = await Promise.all([makeUser(), makeUser('Seller'), makeUser('Admin')]);
  await fundWallet(buyer.userId, fundedCents);
  await makeBillingProfile(buyer.userId);
  const siteId = await makeSite(seller.userId, priceCents, { isFulfilledByStaff: false });
  const offered = [
    { kind: 'guarantee', days: 180, surchargeCents: 501 },
    { kind: 'change', surchargeCents: 333 },
  ];
  const { options } = await saveOptions(seller, siteId, saveOptionsBody.parse({ options: offered }));
  const optionId = options.find(({ kind }) => kind === 'guarantee')?.id ?? '';
  return { buyer, seller, admin, siteId, optionId, projectId: await makeProject(buyer) };
}
type Scene = Awaited<ReturnType<typeof scene>>;
type Placed = Scene & { id: number };

async function order(where: Scene, more: { shownTotalCents?: number } = {}): Promise<Placed> {
  const { buyer, projectId, siteId } = where;
  const { orders: made } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId], ...more });
  return { ...where, id: made[0]?.id ?? 0 };
}

async function approved(where: Scene): Promise<Placed> {
  const placed = await order(where);
  await verbs.accept(placed);
  await verbs.deliver(placed);
  await verbs.approve(placed);
  return placed;
}

/** The tax of an order in the ledger, in the order of the transfers, with the order's number left out of the keys. */
async function taxOf(id: number): Promise<string[]> {
  const rows = await db()
    .select({ key: transfers.key, kind: transfers.kind, cents: transfers.amountCents })
    .from(transfers)
    .where(and(eq(transfers.orderId, id), inArray(transfers.kind, ['tax', 'tax_refund'])))
    .orderBy(asc(transfers.position));
  return rows.map(
    ({ key, kind, cents }) => `${key.replace(/:[0-9a-z]{20,}/, '').replace(`:${id}`, '')} ${kind} ${cents}`,
  );
}

const spent = async ({ buyer }: Scene) => fundedCents - (await getWalletBalance(buyer.userId));
const setRate = (rate: number) => turnTaxOn({ rates: [{ country: 'PL', from: '2020-01-01', rate }] });
const rowOf = async (id: number) => (await db().select().from(orders).where(eq(orders.id, id)))[0];

describe('an order while tax is on', () => {
  it('takes the price and its tax of each order, rounded for each, and records what it was taxed at', async () => {
    const where = await scene(1_003);
    const other = await makeSite(where.seller.userId, 1_006);
    const siteIds = [where.siteId, other];
    const input = { kind: 'custom' as const, projectId: where.projectId, siteIds };
    // 23 % of 1,003 is 230.69, of 1,006 231.38.
    await expect(createOrder(where.buyer, { ...input, shownTotalCents: 2_009 })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('the total is now $24.71, not $20.09'),
    });
    const { orders: made } = await createOrder(where.buyer, { ...input, shownTotalCents: 2_471 });
    expect(made.map(({ chargedCents, taxCents }) => [chargedCents, taxCents])).toEqual([
      [1_003, 231],
      [1_006, 231],
    ]);
    expect(await spent(where)).toBe(2_471);
    const [first, second] = made.map(({ id }) => id);
    expect(await taxOf(first ?? 0)).toEqual(['tax tax 231']);
    const [row] = await db()
      .select()
      .from(orderTaxes)
      .where(eq(orderTaxes.orderId, second ?? 0));
    expect(row).toMatchObject({
      ...{ movementKey: `order:${second}`, netCents: 1_006, taxCents: 231, rate: 2_300, category: 'S', country: 'PL' },
      buyer: { company: 'Buyer Sp. z o.o.', city: 'Warszawa' },
    });
    const [checkout] = await db().select().from(checkouts).where(eq(checkouts.accountId, where.buyer.userId));
    expect(checkout?.totalCents).toBe(2_471);
    await expectSoundBooks();
  });

  it('is refused if the wallet holds the price without the tax, and names what is missing', async () => {
    const where = await scene(90_000);
    await expect(order(where)).rejects.toMatchObject({
      code: 'insufficient_funds',
      details: { url: '/user/wallet?topup=107.00' },
    });
    expect(await spent(where)).toBe(0);
  });

  it('is refused for a buyer without a country, but a repeat of an order from before still gets its answer', async () => {
    const where = await scene();
    const input = { kind: 'custom' as const, projectId: where.projectId, siteIds: [where.siteId] };
    await turnTaxOff();
    const first = await createOrder(where.buyer, input, 'key');
    await turnTaxOn();
    await makeBillingProfile(where.buyer.userId, { country: '' });
    await expect(createOrder(where.buyer, input)).rejects.toMatchObject({
      code: 'billing_incomplete',
      details: { url: '/user/billing' },
    });
    expect(await createOrder(where.buyer, input, 'key')).toEqual(first);
    expect(await spent(where)).toBe(10_001);
  });

  it('of a business in another member state records the reverse charge and takes no tax', async () => {
    const where = await scene();
    const checkedAt = new Date().toISOString();
    const vatCheck = { state: 'valid' as const, checkedAt, consultation: 'WAPIAAA', requester: 'PL5260001246' };
    await makeBillingProfile(where.buyer.userId, { country: 'DE', vatId: 'DE136695976', vatCheck });
    const placed = await order(where);
    expect(await spent(where)).toBe(10_001);
    await verbs.decline(placed);
    const [row] = await db().select().from(orderTaxes).where(eq(orderTaxes.orderId, placed.id));
    expect(row).toMatchObject({ category: 'AE', taxCents: 0, country: '', buyer: { vatId: 'DE136695976', vatCheck } });
    expect(
      await db()
        .select()
        .from(orderTaxReturns)
        .where(eq(orderTaxReturns.chargeKey, row?.movementKey ?? '')),
    ).toEqual([expect.objectContaining({ netCents: 10_001, taxCents: 0 })]);
    await expectSoundBooks();
  });

  it('of several at once with money for one is paid once', async () => {
    const where = await scene(70_000);
    const { values, codes } = await settle([order(where), order(where), order(where)]);
    expect([values.length, codes]).toEqual([1, ['insufficient_funds', 'insufficient_funds']]);
    expect(await spent(where)).toBe(86_100);
    await expectSoundBooks();
  });

  it('above a limit is held with its tax, and a rate that changed since is shown before the approval', async () => {
    const where = await scene();
    const { buyer, projectId, siteId } = where;
    await savePolicy(buyer, buyer.accountId, { approvalAboveCents: 12_300 });
    const { requestId = '' } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
    const shown = (taxCents: number) => ({ totalCents: 10_001 + taxCents, lines: [{ cents: 10_001, taxCents }] });
    expect(await getRequest(buyer, requestId)).toMatchObject(shown(2_300));
    await setRate(800);
    await expect(approveRequest(buyer, requestId, {})).rejects.toMatchObject({ code: 'conflict' });
    expect(await getRequest(buyer, requestId)).toMatchObject(shown(800));
    expect(await approveRequest(buyer, requestId, {})).toMatchObject({ state: 'approved', ...shown(800) });
    expect(await spent(where)).toBe(10_801);
    expect(await getSpentThisMonth(buyer.accountId, { memberId: buyer.userId })).toBe(10_801);
  });

  it('of a cart and of a quote has the totals that were shown', async () => {
    const where = await scene();
    const cart = await openCart(where.buyer, where.projectId);
    await saveCartItems(where.buyer, cart.id, { items: [{ siteId: where.siteId }], version: cart.version });
    const totals = { netCents: 10_001, taxCents: 2_300, totalCents: 12_301 };
    expect(await getCart(where.buyer, cart.id)).toMatchObject(totals);
    const { buyer, projectId, siteId } = where;
    const quote = await createQuote(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
    expect(quote).toMatchObject({ ...totals, tax: { rate: 2_300, category: 'S', text: '', country: 'PL' } });
    await turnTaxOn({ rates: [{ country: 'PL', from: '2020-01-01', rate: 2_000 }] });
    // Also if it costs less.
    await expect(placeQuote(buyer, quote.id, quote.totalCents)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('The tax on your orders changed.'),
    });
    await turnTaxOn();
    await placeQuote(buyer, quote.id, quote.totalCents);
    expect(await spent(where)).toBe(12_301);
  });

  it('shows its tax to the buyer and to staff, and to no seller', async () => {
    const where = await scene();
    const placed = await order(where);
    expect(await getOrder(where.buyer, placed.id)).toMatchObject({ chargedCents: 10_001, taxCents: 2_300 });
    const seen = sellerOrderView(await getSellerOrder(where.seller, placed.id));
    expect(JSON.stringify(seen)).not.toMatch(/tax|2300|12301|Warszawa/i);
  });
});

/** `kept` is what the buyer has paid in the end, with tax. */
type Case = { name: string; run: () => Promise<Placed>; tax: string[]; kept: number };

const refund = ({ admin, id }: Placed) => updateOrder(admin, id, { status: 'Refunded' });
const reopen = ({ admin, id }: Placed) => updateOrder(admin, id, { status: 'Processing' });

/** Accepts a paid change of an order: 333 for the seller and as much margin. 23 % of 666 is 153.18. */
async function withChange(where: Scene): Promise<Placed> {
  const placed = await approved(where);
  await changes.ask(placed);
  await changes.acceptAsked(placed);
  return placed;
}

async function orderPackage(): Promise<Placed> {
  const where = await scene();
  const values = { name: 'Ten links', description: '', priceCents: 4_999, currency: 'USD' as const, isOnSale: true };
  const [made] = await db().insert(packages).values(values).returning();
  const input = { kind: 'package' as const, projectId: where.projectId, packageId: made?.id ?? 0, quantity: 2 };
  const { orders: ordered } = await createOrder(where.buyer, input);
  return { ...where, id: ordered[0]?.id ?? 0 };
}

// 23 % of 10,001 is 2,300.23.
const cases: Case[] = [
  {
    name: 'that is declined returns all tax',
    run: async () => {
      const placed = await order(await scene());
      await verbs.decline(placed);
      return placed;
    },
    tax: ['tax tax 2300', 'tax:refund:1 tax_refund 2300'],
    kept: 0,
  },
  {
    // $37.01 returns, with the odd cent; 23 % of it is 851.23.
    name: 'that is settled returns the same share of its tax',
    run: async () => {
      const placed = await approved(await scene());
      await openDispute(placed.buyer, placed.id, 'buyer', { reason: 'other', text: 'It differs.' });
      const decision = { buyerPercent: 37, note: 'Decided.' };
      expect(await decideDispute(placed.admin, await findDispute(placed.id), decision)).toMatchObject({
        ...{ amountCents: 12_301, returnedCents: 3_701 + 851 },
      });
      const [decided] = await db()
        .select({ details: auditLogs.details })
        .from(auditLogs)
        .where(and(eq(auditLogs.action, 'dispute.decided'), eq(auditLogs.entityId, await findDispute(placed.id))));
      expect(decided?.details).toContain('$45.52 to the buyer');
      return placed;
    },
    tax: ['tax tax 2300', 'tax:settle tax_refund 851'],
    kept: 12_301 - 3_701 - 851,
  },
  {
    // 40 % of the seller's 5,000 stay, and 2,000 of the margin.
    name: 'whose link is lost returns the tax of what returns',
    run: async () => {
      const placed = await approved(await scene());
      await checkLink(placed.id, 'broken');
      await passLinkTime(placed.id, 2 * day);
      await checkLink(placed.id, 'broken');
      await passLinkTime(placed.id, 30 * day);
      await checkLink(placed.id, 'broken');
      return placed;
    },
    tax: ['tax tax 2300', 'tax:lost tax_refund 1380'],
    kept: 12_301 - 6_001 - 1_380,
  },
  {
    name: 'with a longer guarantee that staff refund returns the tax of both, in the parts of the price',
    run: async () => {
      const placed = await approved(await scene());
      const { buyer, id, optionId } = placed;
      await expect(extendAsBuyer(buyer, id, { optionId, shownTotalCents: 1_231 })).rejects.toMatchObject({
        message: expect.stringContaining('now costs $12.32, not $12.31'),
      });
      await extendAsBuyer(buyer, id, { optionId, shownTotalCents: 1_232 });
      expect(await rowOf(id)).toMatchObject({ chargedCents: 11_003, taxCents: 2_530 });
      await refund(placed);
      return placed;
    },
    tax: ['tax tax 2300', 'tax:extension tax 230', 'tax:settle tax_refund 2070', 'tax:refund:1 tax_refund 460'],
    kept: 0,
  },
  {
    name: 'of a package that staff refund, charge again and refund again is taxed as before, whatever the tax is by then',
    run: async () => {
      const placed = await orderPackage();
      await refund(placed);
      await turnTaxOff();
      expect(adminOrderDetailsView(await reopen(placed))).toMatchObject({ netPaidCents: 12_298, rechargeCents: 0 });
      expect(adminOrderDetailsView(await refund(placed))).toMatchObject({ netPaidCents: 0, rechargeCents: 12_298 });
      return placed;
    },
    tax: [
      ...['tax tax 2300', 'tax:refund:1 tax_refund 2300'],
      ...['tax:recharge:1 tax 2300', 'tax:refund:2 tax_refund 2300'],
    ],
    kept: 0,
  },
  {
    name: 'with a paid change that is declined returns the tax of the change',
    run: async () => {
      const placed = await withChange(await scene());
      expect(await viewChanges(await listChanges(placed.id))).toMatchObject([{ priceCents: 666, taxCents: 153 }]);
      await changes.declineAsked(placed);
      expect(await rowOf(placed.id)).toMatchObject({ chargedCents: 10_001, taxCents: 2_300 });
      return placed;
    },
    tax: ['tax tax 2300', 'tax:change tax 153', 'tax:change:refund tax_refund 153'],
    kept: 12_301,
  },
  {
    name: 'with an approved change and an open one that staff refund returns the tax of each charge',
    run: async () => {
      const placed = await withChange(await scene());
      await changes.deliverAsked(placed);
      await changes.approveAsked(placed);
      expect(await rowOf(placed.id)).toMatchObject({ chargedCents: 10_667, taxCents: 2_453 });
      await changes.ask(placed);
      await changes.acceptAsked(placed);
      await refund(placed);
      return placed;
    },
    tax: [
      ...['tax tax 2300', 'tax:change tax 153', 'tax:change tax 153'],
      ...['tax:settle tax_refund 1993', 'tax:change:refund tax_refund 153', 'tax:refund:1 tax_refund 460'],
    ],
    kept: 0,
  },
  {
    name: 'that is deleted returns the tax of its open change only',
    run: async () => {
      const placed = await withChange(await scene());
      await deleteOrder(placed.admin, placed.id);
      return placed;
    },
    tax: ['tax tax 2300', 'tax:change tax 153', 'tax:change:refund tax_refund 153'],
    kept: 12_301,
  },
  {
    name: 'of a buyer who moved to another country returns the tax of each',
    run: async () => {
      const placed = await approved(await scene());
      await makeBillingProfile(placed.buyer.userId, { country: 'DE' });
      await extendAsBuyer(placed.buyer, placed.id, { optionId: placed.optionId });
      await refund(placed);
      return placed;
    },
    tax: [
      ...['tax tax 2300', 'tax:extension tax 190', 'tax:settle tax_refund 2070'],
      ...['tax:refund:1 tax_refund 230', 'tax:refund:1:DE tax_refund 190'],
    ],
    kept: 0,
  },
  {
    name: 'from before the tax keeps its price: only a later extension is taxed',
    run: async () => {
      await turnTaxOff();
      const placed = await approved(await scene());
      await turnTaxOn();
      await extendAsBuyer(placed.buyer, placed.id, { optionId: placed.optionId });
      await refund(placed);
      await reopen(placed);
      return placed;
    },
    tax: ['tax:extension tax 230', 'tax:refund:1 tax_refund 230'],
    // What was ripe for the seller: the settlement of the rest stays.
    kept: 2_000,
  },
];

async function findDispute(orderId: number): Promise<string> {
  const rows = await db().select({ id: disputes.id }).from(disputes).where(eq(disputes.orderId, orderId));
  return rows[0]?.id ?? '';
}

describe('an order', () => {
  it.each(cases)('$name', async ({ run, tax, kept }) => {
    const placed = await run();
    expect(await taxOf(placed.id)).toEqual(tax);
    expect(await spent(placed)).toBe(kept);
    await expectSoundBooks();
  });

  it('with a change that waits for the seller while the buyer’s tax becomes unknown tells the buyer why', async () => {
    const placed = await approved(await scene());
    await changes.ask(placed);
    await makeBillingProfile(placed.buyer.userId, { country: '' });
    const refusal = await changes.acceptAsked(placed).catch((thrown: unknown) => thrown);
    expect(refusal).toMatchObject({ code: 'conflict', message: expect.stringContaining('We told the buyer') });
    expect(String(refusal)).not.toMatch(/country|tax/i);
    const mails = (await outboxOf(placed.buyer.email)).map(({ text }) => text).join();
    expect(mails).toContain('Enter your country under Billing');
    await makeBillingProfile(placed.buyer.userId);
    await changes.acceptAsked(placed);
    expect(await spent(placed)).toBe(12_301 + 819);
  });

  it('with a change whose tax rises before the seller accepts it asks the buyer again, and charges nothing', async () => {
    const placed = await approved(await scene());
    await expect(changes.ask(placed, { shownTotalCents: 818 })).rejects.toThrow('The price of a change is now $8.19.');
    // 23 % of 666 is 153.18, 25 % of it 166.50.
    await changes.ask(placed, { shownTotalCents: 819 });
    await setRate(2_500);
    const accepting = await settle([1, 2, 3].map(() => changes.acceptAsked(placed)));
    expect(accepting.values).toMatchObject([{ state: 'priced', shownTaxCents: 167, chargedAt: null }]);
    expect(accepting.codes).toEqual(['conflict', 'conflict']);
    expect(await spent(placed)).toBe(12_301);
    const told = await db().select({ kind: notices.kind }).from(notices).where(eq(notices.userId, placed.buyer.userId));
    expect(told.filter(({ kind }) => kind === 'order.change_priced')).toHaveLength(1);
    const mails = (await outboxOf(placed.buyer.email)).map(({ text }) => text).join();
    expect(mails).toContain('its tax rose since you saw it');
    expect(mails).toContain('It costs $8.33.');
    const [step] = await db()
      .select()
      .from(placementEvents)
      .where(and(eq(placementEvents.orderId, placed.id), eq(placementEvents.action, 'change_priced')));
    const seen = step && describeEvent({ ...step, returnedCents: 0 }, 'seller');
    expect(JSON.stringify([accepting.values.map(sellerChangeView), seen])).not.toMatch(/tax|167|833/i);
    // Neither a rise after the notice is charged unseen.
    await setRate(3_000);
    await expect(changes.agree(placed)).rejects.toMatchObject({
      ...{ code: 'conflict', message: expect.stringContaining('now costs $8.66 with tax. Nothing was paid.') },
    });
    await setRate(2_500);
    const agreeing = await settle([1, 2].map(() => changes.agree(placed)));
    expect([agreeing.values.length, agreeing.codes]).toEqual([1, ['conflict']]);
    expect(await spent(placed)).toBe(12_301 + 833);
    await changes.declineAsked(placed);
    expect(await spent(placed)).toBe(12_301);
    await expectSoundBooks();
  });

  const lower: [string, () => Promise<void>, number][] = [
    ['falls', () => setRate(1_900), 666 + 127],
    ['stays', () => setRate(2_300), 666 + 153],
    ['is turned off', turnTaxOff, 666],
  ];
  it.each(lower)(
    'with a change whose tax %s before the seller accepts it pays that tax, once',
    async (_, set, paid) => {
      const placed = await approved(await scene());
      await changes.ask(placed, { shownTotalCents: 819 });
      await set();
      const { values, codes } = await settle([1, 2].map(() => changes.acceptAsked(placed)));
      expect([values.map(({ state }) => state), codes]).toEqual([['accepted'], ['conflict']]);
      expect(await spent(placed)).toBe(12_301 + paid);
      await expectSoundBooks();
    },
  );

  it('from before the tax asks again about a change that was untaxed when it was asked for', async () => {
    await turnTaxOff();
    const placed = await approved(await scene());
    await changes.ask(placed);
    await turnTaxOn();
    expect(await changes.acceptAsked(placed)).toMatchObject({ state: 'priced' });
    expect(await spent(placed)).toBe(10_001);
    await changes.agree(placed);
    expect(await spent(placed)).toBe(10_001 + 819);
    await expectSoundBooks();
  });

  it('of which two refunds are requested at once returns its tax once', async () => {
    const placed = await orderPackage();
    const { version } = (await rowOf(placed.id)) ?? {};
    const again = () => updateOrder(placed.admin, placed.id, { status: 'Refunded', version });
    const { values, codes } = await settle([again(), again(), again()]);
    expect([values.length, codes]).toEqual([1, ['conflict', 'conflict']]);
    expect(await spent(placed)).toBe(0);
    await expectSoundBooks();
  });

  it('tells the buyer what returned to the wallet with tax, by mail, timeline and event', async () => {
    const placed = await order(await scene());
    await verbs.decline(placed);
    const mails = (await outboxOf(placed.buyer.email)).map(({ text }) => text).join();
    expect(mails).toContain('$123.01 was returned to your wallet.');
    const [step] = await db()
      .select()
      .from(placementEvents)
      .where(and(eq(placementEvents.orderId, placed.id), eq(placementEvents.action, 'declined')));
    expect(step?.returnedCents).toBe(12_301);
    const sent = await db().select().from(events).where(eq(events.accountId, placed.buyer.userId));
    expect(sent.find(({ type }) => type === 'order.refunded')?.data).toMatchObject({ amountCents: 12_301 });
    expect(sent.find(({ type }) => type === 'order.created')?.data).toMatchObject({ taxCents: 2_300 });
  });

  it('counts with its tax against the limit of refunds without a second person', async () => {
    const where = await scene(60_000);
    const [one, other] = [
      await order(where),
      await order({ ...where, siteId: await makeSite(where.seller.userId, 10_000) }),
    ];
    await makeUser('Admin');
    await setLimit(85_000);
    await expect(refund({ ...where, id: other.id })).resolves.toMatchObject({ status: 'Refunded' });
    // 12,300 were refunded, and the tax of 60,000 is 13,800.
    await expect(refund(one)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('approv') });
    const [request] = await db()
      .select()
      .from(approvals)
      .where(eq(approvals.subject, `order:${one.id}`));
    expect(request).toMatchObject({ amountCents: 73_800, summary: `Refund order #${one.id}: $738.00.` });
    await approve(await makeUser('Admin'), request?.id ?? '', approvalExecutors);
    expect(await spent(where)).toBe(0);
  });
});

const setLimit = (limitCents: number) =>
  db()
    .insert(settings)
    .values({ key: 'approvals', value: { limitCents } })
    .onConflictDoUpdate({ target: settings.key, set: { value: { limitCents } } });

// The owner of the tables, without the triggers that refuse changes.
const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());
const execute = (statement: string) =>
  owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx.unsafe(statement);
  });

/** Each damages the books of this file for good. */
describe('the proof of the books finds', () => {
  const moved = 'Each charge of an order moved exactly its tax to the account of its country';
  const rated = 'The tax of a charge is its net amount at its rate';
  const returned = 'Each refund of an order returned exactly its tax';
  const share = 'The tax returned of a charge is its share to the cent, and all of it with the whole charge';
  const covered = 'Refunds returned the charges that have tax, and no more';
  const summed = 'The tax of an order is that of the payments for its charge';
  const documents = 'Invoices and credit notes have the tax of their movement, in lines that add up';
  const taxSums = 'The sums of the reports of tax equal the lines of their documents';
  const damages: [string, (id: number) => string, string[]][] = [
    ['a charge without its row', (id) => `delete from order_taxes where order_id = ${id}`, [moved, summed]],
    [
      'another amount of tax',
      (id) => `update order_taxes set tax_cents = tax_cents - 1 where order_id = ${id}`,
      [moved, rated, summed],
    ],
    ['another country', (id) => `update order_taxes set country = 'DE' where order_id = ${id}`, [moved]],
    [
      'another net amount',
      (id) => `update order_taxes set net_cents = net_cents + 2 where order_id = ${id}`,
      [covered, rated],
    ],
    ['another tax of an order', (id) => `update orders set tax_cents = 0 where id = ${id}`, [summed]],
  ];
  it.each(damages)('%s', async (_name, damage, broken) => {
    const { id } = await order(await scene());
    expect(await brokenBy(() => execute(damage(id)))).toEqual([...broken].sort());
  });

  it('a refund of an order from before the tax that returned no tax of what was charged later', async () => {
    await turnTaxOff();
    const placed = await approved(await scene());
    await turnTaxOn();
    await extendAsBuyer(placed.buyer, placed.id, { optionId: placed.optionId });
    await refund(placed);
    const work = () =>
      execute(`delete from order_tax_returns where charge_key in (
        select movement_key from order_taxes where order_id = ${placed.id})`);
    expect(await brokenBy(work)).toEqual([returned, covered].sort());
  });

  const ofRefund: [string, string, string[]][] = [
    ['a refund without what it returned', `delete from order_tax_returns where charge_key = `, [returned, covered]],
    [
      'another tax of a refund',
      `update order_tax_returns set tax_cents = tax_cents - 1 where charge_key = `,
      [returned, share],
    ],
  ];
  it.each(ofRefund)('%s', async (_name, damage, broken) => {
    const placed = await order(await scene());
    await verbs.decline(placed);
    const work = () => execute(`${damage} 'order:${placed.id}'`);
    expect(await brokenBy(work)).toEqual([...broken].sort());
  });

  const ofDocument: [string, string[]][] = [
    ['tax_cents = 2299', [documents]],
    [`taxes = jsonb_set(taxes, '{0,taxCents}', '2299')`, [documents, taxSums]],
  ];
  it.each(ofDocument)('a document with %s', async (set, broken) => {
    const { id } = await order(await scene());
    await rollUpLedger();
    await issueInvoices();
    expect(await brokenBy(() => execute(`update invoices set ${set} where order_id = ${id}`))).toEqual(broken);
  });
});
