import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { notices } from '@/db/schema/notices';
import { orderOptions, siteOptions } from '@/db/schema/site-options';
import { sites } from '@/db/schema/sites';
import { AppError } from '@/lib/errors';
import { listInvoices } from '@/lib/invoices/queries';
import { getWalletBalance } from '@/lib/ledger/balance';
import { orderCart } from '@/lib/orders/carts/order';
import { getCart, listCarts, openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { adminOrderView, orderView } from '@/lib/orders/contract';
import { openDispute } from '@/lib/orders/disputes/open';
import { extendAsBuyer } from '@/lib/orders/order/authorize';
import { createOrder } from '@/lib/orders/order/create';
import { getAdminOrder, getOrder } from '@/lib/orders/order/queries';
import type { CreateOrderInput } from '@/lib/orders/order/schemas';
import { getSellerOrder, sellerOrderView } from '@/lib/orders/order/seller-queries';
import { getSiteOffers } from '@/lib/orders/order/site-offers';
import { updateOrder } from '@/lib/orders/order/update';
import { saveBrief } from '@/lib/orders/order/write-briefs';
import { listExtensions } from '@/lib/orders/placements/extend-guarantee';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { settlePlacement } from '@/lib/orders/placements/review';
import { savePolicy } from '@/lib/orders/requests/save-limits';
import { readOptionRules, saveOptionRules } from '@/lib/settings/option-rules';
import { saveOptionsBody } from '@/lib/sites/options/contract';
import { getOwnOptions, saveOptions } from '@/lib/sites/options/save';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeToken } from '@/tests/factories/make-token';
import { makeUser } from '@/tests/factories/make-user';
import * as changes from '@/tests/setup/change-verbs';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { checkLink, passLinkTime, watchOf } from '@/tests/setup/link-checks';
import * as verbs from '@/tests/setup/placement-verbs';
import { settle } from '@/tests/setup/settle';

const day = 24 * 3_600_000;
/** In the seller's prices, which are half of the buyer's. */
const offered = {
  options: [
    { kind: 'guarantee', days: 180, surchargePercent: 10 },
    { kind: 'guarantee', days: 365, surchargeCents: 1_200 },
    { kind: 'topic', topic: 'casino', surchargeCents: 2_000 },
    { kind: 'topic', topic: 'adult', isRefused: true },
    { kind: 'writing', surchargeCents: 150, minimumCents: 600 },
    { kind: 'homepage', days: 7, surchargePercent: 5 },
    { kind: 'change', surchargeCents: 900 },
  ],
};

async function scene(input: unknown = offered) {
  const [buyer, seller] = await Promise.all([makeUser(), makeUser('Seller')]);
  await fundWallet(buyer.userId, 100_000);
  const siteId = await makeSite(seller.userId, 10_000, { isFulfilledByStaff: false, words: 800 });
  const { options } = await saveOptions(seller, siteId, saveOptionsBody.parse(input));
  const idOf = (kind: string, detail?: number | string) =>
    options.find((one) => one.kind === kind && (detail === undefined || detail === (one.days ?? one.topic)))?.id ?? '';
  return { buyer, seller, siteId, idOf, projectId: await makeProject(buyer) };
}
type Scene = Awaited<ReturnType<typeof scene>>;

async function order({ buyer, projectId, siteId }: Scene, ids: string[], more: Partial<CreateOrderInput> = {}) {
  const brief = { options: ids };
  const { orders } = await createOrder(buyer, {
    kind: 'custom',
    projectId,
    siteIds: [siteId],
    brief,
    ...more,
  } as CreateOrderInput);
  const [made] = orders;
  if (!made) throw new Error('No order was made.');
  return made;
}

/** Publishes an order with options, until its delivery is approved. */
async function publish(where: Scene, ids: string[] = []) {
  const { id } = await order(where, ids);
  const placed = { ...where, id };
  await verbs.accept(placed);
  await verbs.deliver(placed);
  await verbs.approve(placed);
  return placed;
}

const fieldsOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (thrown: unknown) => (thrown instanceof AppError ? { code: thrown.code, ...thrown.details.fields } : thrown),
  );

describe('the options of a listing', () => {
  it('keep their ids for equal kind, days and topic, are read as they were sent, and need no review', async () => {
    const { seller, siteId } = await scene();
    const before = await getOwnOptions(seller.userId, siteId);
    expect(before.options.map(({ id: _, ...own }) => own)).toEqual(offered.options);
    const dearer = before.options.map((one) => (one.topic === 'casino' ? { ...one, surchargeCents: 1 } : one));
    const after = await saveOptions(seller, siteId, saveOptionsBody.parse({ options: dearer.slice(1) }));
    expect(after.options).toEqual(dearer.slice(1));
    const [site] = await db().select().from(sites).where(eq(sites.id, siteId));
    expect(site).toMatchObject({ status: 'Approved', version: 1 });
    expect(await fieldsOf(getOwnOptions((await makeUser('Seller')).userId, siteId))).toEqual({ code: 'not_found' });
  });

  it('refuse what is beyond the limits at its field', async () => {
    const { seller, siteId } = await scene({ options: [] });
    const cases: [field: string, options: unknown[]][] = [
      ['options.0.days', [{ kind: 'guarantee', days: 90, surchargeCents: 1 }]],
      ['options.0.days', [{ kind: 'guarantee', days: 5_000, surchargeCents: 1 }]],
      ['options.0.days', [{ kind: 'homepage', surchargeCents: 1 }]],
      ['options.3.kind', [91, 92, 93, 94].map((days) => ({ kind: 'guarantee', days, surchargeCents: 1 }))],
      ['options.1.days', [91, 91].map((days) => ({ kind: 'guarantee', days, surchargeCents: 1 }))],
      ['options.0.topic', [{ kind: 'topic', surchargeCents: 1 }]],
      ['options.0.surchargeCents', [{ kind: 'topic', topic: 'cbd' }]],
      ['options.0.surchargeCents', [{ kind: 'topic', topic: 'cbd', surchargeCents: 1_000_001 }]],
      ['options.0.surchargePercent', [{ kind: 'topic', topic: 'cbd', surchargePercent: 301 }]],
      ['options.0.surchargePercent', [{ kind: 'writing', surchargePercent: 10 }]],
      ['options.1.kind', [1, 2].map((surchargeCents) => ({ kind: 'writing', surchargeCents }))],
    ];
    for (const [field, options] of cases) {
      const refused = await fieldsOf(saveOptions(seller, siteId, saveOptionsBody.parse({ options })));
      expect(refused).toEqual({ code: 'invalid_input', [field]: expect.any(String) });
    }
  });

  it('are shown to buyers in their prices, and only where the publisher fulfills the order', async () => {
    const { buyer, seller, siteId } = await scene();
    const shown = (await getSiteOffers(buyer.userId, [siteId])).listOptions(siteId);
    expect(shown.map(({ id: _, ...one }) => one)).toEqual([
      { kind: 'guarantee', days: 180, surchargeCents: 1_000, surchargePercent: 10 },
      { kind: 'guarantee', days: 365, surchargeCents: 2_400 },
      { kind: 'topic', topic: 'casino', surchargeCents: 4_000 },
      { kind: 'topic', topic: 'adult', isRefused: true, surchargeCents: null },
      { kind: 'writing', surchargeCents: 300, minimumCents: 1_200, minWords: 300 },
      { kind: 'homepage', days: 7, surchargeCents: 500, surchargePercent: 5 },
    ]);
    expect((await getSiteOffers(seller.userId, [siteId])).listOptions(siteId)).toEqual([]);
    await db().update(sites).set({ isFulfilledByStaff: true }).where(eq(sites.id, siteId));
    expect((await getSiteOffers(buyer.userId, [siteId])).listOptions(siteId)).toEqual([]);
  });
});

describe('an order with options', () => {
  it('is charged and divided with them, keeps copies, and shows each side its own amounts', async () => {
    const where = await scene();
    const { buyer, seller, idOf } = where;
    const ids = [idOf('guarantee', 365), idOf('topic', 'casino'), idOf('writing'), idOf('homepage')];
    const made = await order(where, ids);
    // 2,400 + 4,000 + 8 × 300 + 500
    expect(made).toMatchObject({ chargedCents: 19_300, price: 193 });
    expect(made.options.map(({ kind, chargedCents, words }) => [kind, chargedCents, words])).toEqual([
      ['guarantee', 2_400, undefined],
      ['topic', 4_000, undefined],
      ['writing', 2_400, 800],
      ['homepage', 500, undefined],
    ]);
    expect(await getWalletBalance(buyer.userId)).toBe(100_000 - 19_300);
    expect(await verbs.placementOf(made.id)).toMatchObject({
      ...{ sellerCents: 9_650, marginCents: 9_650, guaranteeDays: 365, guaranteeCents: 1_200, addedDays: 0 },
    });
    const own = sellerOrderView(await getSellerOrder(seller, made.id));
    expect(own).toMatchObject({ earnsCents: 9_650 });
    expect(own.options.map(({ earnsCents }) => earnsCents)).toEqual([1_200, 2_000, 1_200, 250]);
    expect(JSON.stringify(own.options)).not.toContain('chargedCents');
    const view = orderView(await getOrder(buyer, made.id));
    expect(view.options).toEqual(made.options);
    await expect(db().update(orderOptions).set({ sellerCents: 0 })).rejects.toMatchObject({ cause: { code: '42501' } });
    expect(JSON.stringify(view.options)).not.toContain('earnsCents');
    expect(adminOrderView(await getAdminOrder(made.id)).options[0]).toMatchObject({
      chargedCents: 2_400,
      earnsCents: 1_200,
    });
    const { invoices } = await listInvoices(buyer, made.id);
    expect(invoices[0]?.line.details).toContain('Including Longer guarantee, 365 days: $24.00');
    // What was paid by words stays the publisher's, and no longer.
    expect(await fieldsOf(saveBrief(buyer, made.id, { writer: 'buyer', words: 801 }))).toMatchObject({
      ...{ code: 'invalid_input', writer: expect.any(String), words: expect.any(String) },
    });
    await saveBrief(buyer, made.id, { words: 700 });
  });

  it('is refused for options that do not go together or that the listing does not offer', async () => {
    const where = await scene();
    const { idOf, siteId } = where;
    const cases: [why: string, options: string[], brief?: object][] = [
      ['two guarantees', [idOf('guarantee', 180), idOf('guarantee', 365)]],
      ['a topic that is not accepted', [idOf('topic', 'adult')]],
      ['an article that the buyer writes', [idOf('writing')], { writer: 'buyer' }],
      ['a change of a published article', [idOf('change')]],
      ['an option of another listing', ['unknown']],
    ];
    for (const [why, options, brief = {}] of cases) {
      const refused = { code: 'conflict', 'brief.options': expect.any(String) };
      expect(await fieldsOf(order(where, [], { brief: { ...brief, options } })), why).toEqual(refused);
      const briefs = { [siteId]: { ...brief, options } };
      const named = { code: 'conflict', [`briefs.${siteId}.options`]: expect.any(String) };
      expect(await fieldsOf(order(where, [], { brief: {}, briefs })), why).toEqual(named);
    }
    expect(await getWalletBalance(where.buyer.userId)).toBe(100_000);
  });

  it('is refused when an option became dearer or was removed, or our team fulfills the order', async () => {
    const where = await scene();
    const { seller, siteId, idOf } = where;
    const id = idOf('topic', 'casino');
    const options = offered.options.map((one) =>
      one.topic === 'casino' && one.surchargeCents ? { ...one, surchargeCents: 2_001 } : one,
    );
    await saveOptions(seller, siteId, saveOptionsBody.parse({ options }));
    expect(await fieldsOf(order(where, [id], { shownTotalCents: 14_000 }))).toEqual({ code: 'conflict' });
    expect(await order(where, [id])).toMatchObject({ chargedCents: 14_002 });
    await saveOptions(seller, siteId, { options: [] });
    expect(await fieldsOf(order(where, [id]))).toMatchObject({ code: 'conflict' });
    await db().update(sites).set({ isFulfilledByStaff: true }).where(eq(sites.id, siteId));
    expect(await fieldsOf(order(where, [id]))).toMatchObject({ code: 'conflict' });
  });

  it('takes the margin and the kinds that the operator set', async () => {
    const where = await scene();
    const admin = await makeUser('Admin');
    const { rules, version } = await readOptionRules();
    const kinds = { ...rules.kinds, topic: { isOffered: true, marginBasisPoints: 1_000 } };
    const closed = { ...kinds, homepage: { isOffered: false, marginBasisPoints: null } };
    await saveOptionRules(admin, { ...rules, kinds: closed, version });
    expect(await order(where, [where.idOf('topic', 'casino')])).toMatchObject({ chargedCents: 12_200 });
    expect(await fieldsOf(order(where, [where.idOf('homepage')]))).toMatchObject({ code: 'conflict' });
    expect(await fieldsOf(saveOptionRules(admin, { ...rules, version }))).toMatchObject({ code: 'conflict' });
    await saveOptionRules(admin, { ...rules, version: version + 1 });
  });
});

describe('a cart', () => {
  it('adds the options up, says when one became dearer, and orders them', async () => {
    const { buyer, seller, siteId, idOf, projectId } = await scene();
    const { id, version } = await openCart(buyer, projectId);
    const brief = { options: `${idOf('writing')},${idOf('topic', 'casino')}`, words: 1_000 };
    const saved = await saveCartItems(buyer, id, { items: [{ siteId, brief }], version });
    expect(saved).toMatchObject({
      totalCents: 17_000,
      items: [{ state: 'ok', priceCents: 17_000, shownPriceCents: 17_000, problems: [] }],
    });
    expect(saved.items[0]?.options).toHaveLength(6);
    expect((await listCarts(buyer))[0]).toMatchObject({ totalCents: 17_000 });
    await db()
      .update(siteOptions)
      .set({ sellerCents: 200 })
      .where(eq(siteOptions.id, idOf('writing')));
    expect((await getCart(buyer, id)).items[0]).toMatchObject({
      ...{ state: 'price_changed', priceCents: 18_000, shownPriceCents: 17_000 },
    });
    const chosen = { options: [idOf('topic', 'adult')] };
    const refused = await saveCartItems(buyer, id, { items: [{ siteId, brief: chosen }], version: saved.version });
    expect(refused.items[0]).toMatchObject({ priceCents: 10_000, problems: [{ field: 'options' }] });
    expect(await fieldsOf(orderCart(buyer, id, {}))).toMatchObject({ [`${siteId}.options`]: expect.any(String) });
    await saveCartItems(buyer, id, { items: [{ siteId, brief }], version: refused.version });
    const { orders } = await orderCart(buyer, id, { shownTotalCents: 18_000 });
    expect(orders[0]).toMatchObject({ chargedCents: 18_000 });
    expect(sellerOrderView(await getSellerOrder(seller, orders[0]?.id ?? 0)).earnsCents).toBe(9_000);
  });
});

describe('the money of an order with options, an extension and an approved change', () => {
  /** At prices whose parts are no whole cents. */
  async function publishAll() {
    const where = await scene({
      options: [
        { kind: 'guarantee', days: 120, surchargePercent: 7 },
        { kind: 'topic', topic: 'crypto', surchargeCents: 333 },
        { kind: 'writing', surchargeCents: 101 },
        { kind: 'change', surchargePercent: 13 },
      ],
    });
    await db()
      .update(sites)
      .set({ sellerPriceCents: 3_331, publicPriceCents: 4_999, publicPriceUsdCents: 4_999 })
      .where(eq(sites.id, where.siteId));
    const placed = await publish(where, [where.idOf('guarantee'), where.idOf('topic'), where.idOf('writing')]);
    await passLinkTime(placed.id, 50 * day);
    await checkLink(placed.id, 'ok');
    await extendAsBuyer(placed.buyer, placed.id, { optionId: where.idOf('guarantee') });
    await changes.ask(placed);
    await changes.acceptAsked(placed);
    await changes.deliverAsked(placed);
    await changes.approveAsked(placed);
    await checkLink(placed.id, 'ok');
    await expectSoundBooks();
    const { chargedCents } = await getOrder(placed.buyer, placed.id);
    expect(await getWalletBalance(placed.buyer.userId)).toBe(100_000 - chargedCents);
    return { ...placed, chargedCents };
  }
  type Placed = Awaited<ReturnType<typeof publishAll>>;

  const ends: [
    name: string,
    end: (placed: Placed) => Promise<unknown>,
    returned: (placed: Placed) => Promise<number>,
  ][] = [
    [
      'a lost link returns what is not ripe',
      async ({ id }) => {
        for (const days of [2, 2, 8]) {
          await passLinkTime(id, days * day);
          await checkLink(id, 'broken');
        }
      },
      async ({ id }) => {
        const { sellerReturnedCents, marginReturnedCents, sellerCents, ripenedCents } = await verbs.placementOf(id);
        expect(sellerReturnedCents).toBe(sellerCents - ripenedCents);
        return sellerReturnedCents + marginReturnedCents;
      },
    ],
    [
      'a settlement returns its percentage',
      async ({ id }) =>
        db().transaction(async (tx) =>
          settlePlacement(tx, await makeUser('Admin'), await lockPlacement(tx, id), {
            ...{ role: 'staff', outcome: 'decided', buyerPercent: 37 },
          }),
        ),
      async ({ id }) => {
        const { sellerReturnedCents, marginReturnedCents } = await verbs.placementOf(id);
        return sellerReturnedCents + marginReturnedCents;
      },
    ],
    [
      'staff refund all of it after the end, and reverse that',
      async ({ buyer, id }) => {
        await passLinkTime(id, 300 * day);
        await checkLink(id, 'ok');
        expect(await verbs.placementOf(id)).toMatchObject({ state: 'closed' });
        const admin = await makeUser('Admin');
        await updateOrder(admin, id, { status: 'Refunded' });
        expect(await getWalletBalance(buyer.userId)).toBe(100_000);
        await expectSoundBooks();
        await updateOrder(admin, id, { status: 'Completed' });
      },
      async () => 0,
    ],
  ];
  it.each(ends)('%s', async (_name, end, returned) => {
    const placed = await publishAll();
    await end(placed);
    const { buyer, id, chargedCents } = placed;
    expect(await getWalletBalance(buyer.userId)).toBe(100_000 - chargedCents + (await returned(placed)));
    const { sellerCents, sellerReturnedCents, ripenedCents } = await verbs.placementOf(id);
    expect(ripenedCents).toBe(sellerCents - sellerReturnedCents);
    await expectSoundBooks();
    const { invoices } = await listInvoices(buyer, id);
    const sum = (kind: string) => invoices.reduce((total, one) => total + (one.kind === kind ? one.totalCents : 0), 0);
    expect(sum('invoice') - sum('credit_note')).toBe(100_000 - (await getWalletBalance(buyer.userId)));
    expect(invoices.reduce((total, { creditedCents }) => total + creditedCents, 0)).toBe(sum('credit_note'));
  });
});

describe('the guarantee of an order', () => {
  it('lasts as long as it was chosen, and its surcharge ripens last', async () => {
    const where = await scene();
    const placed = await publish(where, [where.idOf('guarantee', 180)]);
    // 5,000 without the guarantee, of which 40 percent at the approval.
    const ripeAfter = async (days: number) => {
      await passLinkTime(placed.id, days * day);
      await checkLink(placed.id, 'ok');
      return (await verbs.placementOf(placed.id)).ripenedCents;
    };
    expect(await ripeAfter(90)).toBe(3_500);
    expect(await ripeAfter(89)).toBeLessThanOrEqual(5_000);
    expect(await ripeAfter(2)).toBe(5_500);
    expect(await verbs.placementOf(placed.id)).toMatchObject({ state: 'closed' });
    await expectSoundBooks();
  });

  it('is extended from the wallet, after which the watch goes on to the new end', async () => {
    const where = await scene();
    const { buyer, seller, idOf } = where;
    const placed = await publish(where);
    const optionId = idOf('guarantee', 365);
    await passLinkTime(placed.id, 80 * day);
    await checkLink(placed.id, 'ok');
    expect((await listExtensions(await getOrder(buyer, placed.id))).map(({ days }) => days)).toEqual([180, 365]);
    expect(await fieldsOf(extendAsBuyer(buyer, placed.id, { optionId, shownTotalCents: 2_399 }))).toEqual({
      code: 'conflict',
    });
    await savePolicy(buyer, buyer.accountId, { approvalAboveCents: 2_399 });
    expect(await fieldsOf(extendAsBuyer(buyer, placed.id, { optionId }))).toEqual({ code: 'forbidden' });
    await savePolicy(buyer, buyer.accountId, {});
    const ripeBefore = (await verbs.placementOf(placed.id)).ripenedCents;
    const view = orderView(await extendAsBuyer(buyer, placed.id, { optionId, shownTotalCents: 2_400 }));
    expect(view).toMatchObject({ chargedCents: 12_400, options: [{ isExtension: true, chargedCents: 2_400 }] });
    const endsAt = Date.parse(view.placement?.guaranteeEndsAt ?? '');
    expect(Math.round((endsAt - Date.now()) / day)).toBe(90 + 365 - 80);
    expect(await getWalletBalance(buyer.userId)).toBe(100_000 - 12_400);
    expect(await verbs.placementOf(placed.id)).toMatchObject({
      ...{ sellerCents: 6_200, marginCents: 6_200, guaranteeCents: 1_200, addedDays: 365, ripenedCents: ripeBefore },
    });
    const told = await db().select().from(notices).where(eq(notices.userId, seller.userId));
    expect(told.map(({ kind }) => kind)).toContain('placement.guarantee_extended');
    const { invoices } = await listInvoices(buyer, placed.id);
    expect(invoices.map(({ line, totalCents }) => [line.title.split(':')[0], totalCents])).toEqual([
      ['Guest posts', 10_000],
      ['Longer guarantee, 365 days', 2_400],
    ]);
    await expectSoundBooks();
    await passLinkTime(placed.id, 100 * day);
    await checkLink(placed.id, 'ok');
    expect(await verbs.placementOf(placed.id)).toMatchObject({ state: 'approved', ripenedCents: 5_000 });
    expect((await watchOf(placed.id)).endedAt).toBeNull();
    await passLinkTime(placed.id, 276 * day);
    await checkLink(placed.id, 'ok');
    expect(await verbs.placementOf(placed.id)).toMatchObject({ state: 'closed', ripenedCents: 6_200 });
    expect(await fieldsOf(extendAsBuyer(buyer, placed.id, { optionId }))).toEqual({ code: 'conflict' });
    await expectSoundBooks();
  });

  it('is not extended without money, beyond the limit of the marketplace, or of another user', async () => {
    const where = await scene();
    const { buyer, seller, siteId, idOf } = where;
    const placed = await publish(where);
    const poor = await makeUser();
    expect(await fieldsOf(extendAsBuyer(poor, placed.id, { optionId: idOf('guarantee', 180) }))).toEqual({
      code: 'not_found',
    });
    for (let count = 0; count < 4; count += 1)
      await extendAsBuyer(buyer, placed.id, { optionId: idOf('guarantee', 365) });
    // 90 + 4 × 365 = 1,550 of 1,825 days.
    expect(await fieldsOf(extendAsBuyer(buyer, placed.id, { optionId: idOf('guarantee', 365) }))).toMatchObject({
      code: 'conflict',
    });
    await saveOptions(seller, siteId, { options: [{ kind: 'guarantee', days: 100, surchargeCents: 100_000 }] });
    const [dear] = await listExtensions(await getOrder(buyer, placed.id));
    const refused = await extendAsBuyer(buyer, placed.id, { optionId: dear?.id ?? '' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(refused).toMatchObject({
      code: 'insufficient_funds',
      details: { url: expect.stringContaining('/user/wallet?topup=') },
    });
  });

  it('counts against the daily limit of the API token', async () => {
    const where = await scene();
    const { buyer, idOf } = where;
    const placed = await publish(where);
    const { id } = await makeToken(buyer.userId, ['orders:write'], { dailyLimitCents: 1_500 });
    const program = { ...buyer, token: { id, name: 'Reports', scopes: ['orders:write'] } };
    const extend = () => extendAsBuyer(program, placed.id, { optionId: idOf('guarantee', 180) });
    expect((await settle([extend(), extend()])).values).toHaveLength(1);
    expect(await fieldsOf(extend())).toEqual({ code: 'forbidden' });
    expect(await getWalletBalance(buyer.userId)).toBe(100_000 - 11_000);
  });

  it('is extended once of two requests at once, and never beside the end of the placement', async () => {
    const where = await scene();
    const { buyer, idOf } = where;
    const extend = (id: number) => extendAsBuyer(buyer, id, { optionId: idOf('guarantee', 180) });
    const twice = await publish(where);
    const { values, codes } = await settle([extend(twice.id), extend(twice.id), extend(twice.id)]);
    expect([values.length, codes]).toEqual([1, ['conflict', 'conflict']]);
    const disputed = await publish(where);
    await settle<unknown>([
      extend(disputed.id),
      openDispute(buyer, disputed.id, 'buyer', { reason: 'other', text: 'Gone.' }),
    ]);
    // The check that closes the placement, and staff who close it, are as fast as the last request of the buyer.
    const over = await publish(where);
    await passLinkTime(over.id, 90 * day - 2_000);
    await settle<unknown>([extend(over.id), passLinkTime(over.id, 2_000).then(() => checkLink(over.id, 'ok'))]);
    const closed = await publish(where);
    const { values: ends } = await settle<unknown>([
      extend(closed.id),
      updateOrder(await makeUser('Admin'), closed.id, { status: 'Completed' }),
    ]);
    expect(ends.length).toBeGreaterThan(0);
    for (const { id } of [over, closed]) {
      const { state, sellerCents, ripenedCents, addedDays } = await verbs.placementOf(id);
      expect([state, ripenedCents === sellerCents]).toEqual(
        addedDays > 0 && state === 'approved' ? ['approved', false] : ['closed', true],
      );
    }
    const lost = await publish(where);
    for (const days of [2, 2, 8]) {
      await passLinkTime(lost.id, days * day);
      await Promise.all([settle([extend(lost.id)]), checkLink(lost.id, 'broken')]);
    }
    expect(await verbs.placementOf(lost.id)).toMatchObject({ state: 'lost' });
    await expectSoundBooks();
  });
});
