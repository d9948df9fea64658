import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { projectAnchorPlans } from '@/db/schema/anchor-plans';
import { orders } from '@/db/schema/orders';
import { blockedDomains, projectAnchors, projectLinkedDomains } from '@/db/schema/project-domains';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { changeCartSites, getCartState } from '@/lib/orders/carts/cart-sites';
import type { Cart, SaveCartItemsInput } from '@/lib/orders/carts/contract';
import { cartBriefFields } from '@/lib/orders/carts/contract';
import { createCart } from '@/lib/orders/carts/create';
import { orderCart } from '@/lib/orders/carts/order';
import { countCartSites, getCart, listCarts, openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { deleteCart, renameCart } from '@/lib/orders/carts/update';
import { createOrder } from '@/lib/orders/order/create';
import { createQuote, placeQuote } from '@/lib/orders/order/quotes';
import { deleteProject } from '@/lib/projects/projects';
import { defaultAnchorPlan } from '@/lib/settings/anchor-plan';
import { deleteUser } from '@/lib/workflows/delete-user';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { settle } from '@/tests/setup/settle';

let buyer: Actor;
let owner: Actor;
let projectId: string;
/** At $100.00 and $60.00. */
let first: number;
let second: number;

beforeEach(async () => {
  [buyer, owner] = await Promise.all([makeUser(), makeUser('Seller')]);
  projectId = await makeProject(buyer);
  [first, second] = await Promise.all([makeSite(owner.userId, 10_000), makeSite(owner.userId, 6_000)]);
  await fundWallet(buyer.userId, 50_000);
});

const change = (siteId: number, values: Partial<typeof sites.$inferInsert>) =>
  db().update(sites).set(values).where(eq(sites.id, siteId));
const reprice = (siteId: number, cents: number) =>
  change(siteId, { publicPriceCents: cents, publicPriceUsdCents: cents });

/** The buyer's cart of the project with these sites. */
async function fill(items: SaveCartItemsInput['items'], of: string | null = projectId): Promise<Cart> {
  const { id, version } = await openCart(buyer, of);
  return saveCartItems(buyer, id, { items, version });
}
const fillBoth = (of: string | null = projectId) => fill([{ siteId: first }, { siteId: second }], of);
const ordersOf = ({ userId }: Actor) => db().select().from(orders).where(eq(orders.accountId, userId));

/** Nothing is ordered, and the cart is as it was. */
async function expectUntouched(cart: Cart): Promise<void> {
  expect(await ordersOf(buyer)).toEqual([]);
  expect(await getWalletBalance(buyer.userId)).toBe(50_000);
  const { version, items } = await getCart(buyer, cart.id);
  expect({ version, sites: items.map(({ siteId }) => siteId) }).toEqual({
    version: cart.version,
    sites: cart.items.map(({ siteId }) => siteId),
  });
}

describe('a cart', () => {
  it('is one of each project and one without, also of two requests at once', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => createCart(buyer, { projectId, name: 'Spring' })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    const mine = await openCart(buyer, null);
    expect(mine).toMatchObject({ projectId: null, name: 'My cart', version: 1, totalCents: 0, items: [] });
    expect((await openCart(buyer, null)).id).toBe(mine.id);
    const cart = await fillBoth();
    const renamed = await renameCart(buyer, cart.id, { name: 'Autumn', version: cart.version });
    expect(await listCarts(buyer)).toEqual([
      {
        id: cart.id,
        projectId,
        name: 'Autumn',
        version: renamed.version,
        netCents: 16_000,
        taxCents: 0,
        totalCents: 16_000,
        count: 2,
      },
      { id: mine.id, projectId: null, name: 'My cart', version: 1, netCents: 0, taxCents: 0, totalCents: 0, count: 0 },
    ]);
    await fill([{ siteId: first }], null);
    expect(await countCartSites(buyer)).toBe(3);
    await deleteCart(buyer, mine.id);
    expect(await countCartSites(buyer)).toBe(2);
  });

  it('shows sites with another price and those that cannot be ordered, and keeps them', async () => {
    const [paused, rejected] = await Promise.all([makeSite(owner.userId, 100), makeSite(owner.userId, 200)]);
    const cart = await fill([first, second, paused, rejected].map((siteId) => ({ siteId })));
    expect(cart.items.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
    await reprice(first, 9_000);
    await change(paused, { status: 'Pending' });
    await change(rejected, { status: 'Rejected' });
    await change(second, { deletedAt: new Date() });
    const now = await getCart(buyer, cart.id);
    expect(now.items.map(({ state, priceCents, shownPriceCents }) => [state, priceCents, shownPriceCents])).toEqual([
      ['price_changed', 9_000, 10_000],
      ['not_on_sale', null, 6_000],
      ['paused', null, 100],
      ['not_on_sale', null, 200],
    ]);
    expect(now.totalCents).toBe(9_000);
    // Another save keeps them with the prices at which they were added.
    const kept = await saveCartItems(buyer, cart.id, { items: now.items.toReversed(), version: now.version });
    expect(kept.items).toEqual(now.items.toReversed());
    await expect(orderCart(buyer, cart.id, {})).rejects.toMatchObject({
      code: 'conflict',
      details: {
        fields: { [second]: expect.any(String), [paused]: expect.any(String), [rejected]: expect.any(String) },
      },
    });
    await expectUntouched(kept);
  });

  it('keeps what was typed in a brief, with its problems and contradictions', async () => {
    await change(first, { followType: 'NoFollow', language: 'German' });
    const brief = (typed: Record<string, string | number | null>, siteId = second) => ({ siteId, brief: typed });
    const rows: [Record<string, string | number | null>, string[], string[]?][] = [
      [{ targetUrl: '', anchor: ' ', rel: '', words: null, notBefore: '' }, []],
      [{ anchor: 2026, rel: 'DoFollow', words: '800' }, []],
      [{ targetUrl: 'not an address', words: 'many', rel: 'best' }, ['targetUrl', 'rel', 'words']],
      [{ notBefore: '2020-01-01' }, ['notBefore']],
      [{ notBefore: 'tomorrow' }, ['notBefore']],
      [{ articleId: 'of-another-buyer' }, ['articleId']],
      [{ writer: 'seller', articleId: 'x' }, ['articleId']],
      [{ anchor: 'a'.repeat(201) }, ['anchor']],
      [{ anchor: 'купить лопату', notes: 'Please write it in Polish.' }, [], ['anchor', 'notes']],
      [{ notes: 'In English, not in German' }, []],
    ];
    for (const [typed, problems, warnings = []] of rows) {
      const { items } = await fill([brief(typed)]);
      expect({ typed, brief: items[0]?.brief }).toEqual({ typed, brief: typed });
      expect({ typed, found: items[0]?.problems.map(({ field }) => field) }).toEqual({ typed, found: problems });
      expect({ typed, found: items[0]?.warnings.map(({ field }) => field) }).toEqual({ typed, found: warnings });
    }
    const { items } = await fill([brief({ rel: 'dofollow', notes: 'Auf Deutsch' }, first)]);
    expect(items[0]?.warnings.map(({ field }) => field)).toEqual(['rel']);
  });

  it('refuses an unknown, an unlisted and a repeated site by the name of its field', async () => {
    const hidden = await makeSite(owner.userId, 100);
    await change(hidden, { status: 'Pending' });
    const cart = await fillBoth();
    const save = (...siteIds: number[]) =>
      saveCartItems(buyer, cart.id, { items: siteIds.map((siteId) => ({ siteId })), version: cart.version });
    for (const siteIds of [
      [first, 2_000_000_000],
      [first, hidden],
      [first, first],
    ])
      await expect(save(...siteIds)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { fields: { 'items.1.siteId': expect.any(String) } },
      });
    await expectUntouched(cart);
  });

  it('changed in two windows at once takes one change and refuses the others', async () => {
    const cart = await fillBoth();
    const save = (anchor: string) =>
      saveCartItems(buyer, cart.id, { items: [{ siteId: first, brief: { anchor } }], version: cart.version });
    const { values, codes } = await settle<unknown>([
      save('one'),
      save('two'),
      renameCart(buyer, cart.id, { name: 'Three', version: cart.version }),
    ]);
    expect(values).toHaveLength(1);
    expect(codes).toEqual(['conflict', 'conflict']);
    expect((await getCart(buyer, cart.id)).version).toBe(cart.version + 1);
  });

  it('takes the changes of two marketplace tabs at once, and none for a project of another user', async () => {
    const sites = await Promise.all([1, 2, 3, 4].map((cents) => makeSite(owner.userId, cents)));
    const hidden = await makeSite(owner.userId, 100);
    const cart = await fill([{ siteId: first, brief: { anchor: 'rake' } }, { siteId: second }]);
    await change(hidden, { status: 'Pending' });
    const tick = (add: number[], remove: number[] = [], of: string | null = projectId) =>
      changeCartSites(buyer, { projectId: of, add: add.map((siteId) => ({ siteId })), remove });
    const changed = await Promise.all([...sites.map((siteId) => tick([siteId, first])), tick([], [second])]);
    const now = await getCart(buyer, cart.id);
    expect(now.items[0]).toMatchObject({ siteId: first, brief: { anchor: 'rake' } });
    expect(now.items.map(({ siteId }) => siteId).sort()).toEqual([first, ...sites].sort());
    expect(changed.map(({ refusal }) => refusal)).toEqual([null, null, null, null, null]);
    // A site that left the sale does not keep the others out; a removed one returns with its brief.
    const cleared = await tick([], [first, ...sites]);
    expect(cleared.removed[0]).toEqual({ siteId: first, brief: { anchor: 'rake' } });
    const back = await tick([hidden, first, 2_000_000_000]);
    expect(back.refusal).toBe('2 sites are no longer on sale and were not added.');
    expect(back.sites).toEqual([{ id: first, usdCents: 10_000 }]);
    expect(await getCartState(buyer, projectId)).toMatchObject({ cartId: cart.id, sites: back.sites });
    const foreign = await makeProject(await makeUser());
    await expect(tick([first], [], foreign)).rejects.toMatchObject({ code: 'not_found' });
    expect((await getCartState(buyer, foreign)).cartId).toBeNull();
  });

  it('keeps the order, briefs and total of every list', async () => {
    const prices = [1, 99, 12_345, 500_000, 7];
    const siteIds = await Promise.all(prices.map((cents) => makeSite(owner.userId, cents)));
    const cart = await openCart(buyer, null);
    const typed = fc.dictionary(
      fc.constantFrom(...cartBriefFields),
      fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.integer(), fc.constant(null)),
      { noNullPrototype: true },
    );
    let { version } = cart;
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(siteIds),
        fc.array(typed, { minLength: 5, maxLength: 5 }),
        async (ids, all) => {
          const items = ids.map((siteId, index) => ({ siteId, brief: all[index] ?? {} }));
          const saved = await saveCartItems(buyer, cart.id, { items, version });
          version = saved.version;
          expect(saved.items.map(({ siteId, brief }) => ({ siteId, brief }))).toEqual(items);
          const total = ids.reduce((sum, id) => sum + (prices[siteIds.indexOf(id)] ?? 0), 0);
          expect(saved.totalCents).toBe(total);
        },
      ),
      { numRuns: propertyRuns(15) },
    );
  });

  it('goes with its project and with its user', async () => {
    const cart = await fillBoth();
    await db().insert(blockedDomains).values({ accountId: buyer.userId, projectId, domain: 'blocked.example' });
    const other = await makeProject(buyer);
    for (const id of [projectId, other]) {
      await db()
        .insert(projectLinkedDomains)
        .values({ projectId: id, domain: 'linked.example', source: 'list', state: 'live' });
      await db()
        .insert(projectAnchors)
        .values({ projectId: id, source: 'moz', anchor: 'spade', isImage: false, links: 1 });
      await db()
        .insert(projectAnchorPlans)
        .values({ projectId: id, plan: defaultAnchorPlan, brandWords: [], pool: [], version: 1 });
    }
    const countLinkData = (id: string) =>
      Promise.all(
        [projectLinkedDomains, projectAnchors, projectAnchorPlans].map((table) =>
          db().$count(table, eq(table.projectId, id)),
        ),
      );
    await deleteProject(buyer, projectId);
    await expect(getCart(buyer, cart.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(openCart(buyer, projectId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await db().$count(blockedDomains, eq(blockedDomains.projectId, projectId))).toBe(0);
    expect([await countLinkData(projectId), await countLinkData(other)]).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
    await fillBoth(null);
    // A user with money is not deleted.
    await spendMoney(buyer, 50_000);
    await db().update(orders).set({ status: 'Completed' }).where(eq(orders.accountId, buyer.accountId));
    await deleteUser(await makeUser('Admin'), buyer.userId);
    expect([await countCartSites(buyer), await countLinkData(other)]).toEqual([0, [0, 0, 0]]);
  });
});

describe('ordering a cart', () => {
  it('orders every site with its brief, empties the cart, and answers a repeat with the first answer', async () => {
    const cart = await fill([{ siteId: second, brief: { anchor: 'rake' } }, { siteId: first }], null);
    await expect(orderCart(buyer, cart.id, {}, 'k')).rejects.toMatchObject({
      details: { fields: { projectId: 'Select a project.' } },
    });
    const { version } = cart;
    const order = () => orderCart(buyer, cart.id, { projectId, shownTotalCents: 16_000, version }, 'k');
    const [one, two] = await Promise.all([order(), order()]);
    expect(one.orders.map(({ brief, chargedCents }) => [brief?.anchor, chargedCents])).toEqual([
      ['rake', 6_000],
      ['', 10_000],
    ]);
    expect(two).toEqual(one);
    expect(await getCart(buyer, cart.id)).toMatchObject({ items: [], version: cart.version + 1 });
    // Also when the cart has other sites, and after it was deleted.
    await fill([{ siteId: first }], null);
    expect(await order()).toEqual(one);
    await deleteCart(buyer, cart.id);
    expect(await order()).toEqual(one);
    await expect(orderCart(buyer, cart.id, { projectId, allowDuplicates: true }, 'k')).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await ordersOf(buyer)).toHaveLength(2);
    expect(await getWalletBalance(buyer.userId)).toBe(34_000);
    await expectSoundBooks();
  });

  it('refuses a broken brief by site and field, and orders nothing', async () => {
    const cart = await fill([{ siteId: first, brief: { words: 'many' } }, { siteId: second }]);
    await expect(orderCart(buyer, cart.id, {})).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: { [`${first}.words`]: expect.any(String) } },
    });
    await expectUntouched(cart);
  });

  it('is refused when the total rises above the one that the buyer saw, and not when it falls', async () => {
    const cart = await fillBoth();
    await reprice(first, 10_001);
    await expect(orderCart(buyer, cart.id, { shownTotalCents: 16_000 })).rejects.toMatchObject({ code: 'conflict' });
    await expectUntouched(cart);
    // A price that changes at the same time: the buyer never pays more than agreed.
    const [ordered] = await Promise.allSettled([
      orderCart(buyer, cart.id, { shownTotalCents: 16_001 }),
      reprice(first, 20_000),
    ]);
    const paid = 50_000 - (await getWalletBalance(buyer.userId));
    expect(paid).toBe(ordered.status === 'fulfilled' ? 16_001 : 0);
    await expectSoundBooks();
  });

  it('is refused as a whole when one of 30 sites leaves the sale between its price and its order', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => makeSite(owner.userId, 100)));
    const cart = await fill(ids.map((siteId) => ({ siteId })));
    const leaves = ids[17] ?? 0;
    let ordering: Promise<unknown> = Promise.resolve();
    await db().transaction(async (tx) => {
      const ofSite = eq(sites.id, leaves);
      await tx.select({ id: sites.id }).from(sites).where(ofSite).for('update');
      await tx.update(sites).set({ status: 'Pending' }).where(ofSite);
      ordering = orderCart(buyer, cart.id, {}, newId());
      ordering.catch(() => undefined);
      await expect
        .poll(() =>
          db().$count(
            sql`pg_stat_activity`,
            sql`datname = current_database() and wait_event_type = 'Lock' and query like '%"listed"%'`,
          ),
        )
        .toBe(1);
    });
    await expect(ordering).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(`#${leaves} `) });
    await expectUntouched(cart);
  });

  it('while another window changes the cart orders what was seen or nothing', async () => {
    const other = await makeSite(owner.userId, 6_000);
    const seen = await fillBoth();
    const cart = await fill([{ siteId: first }, { siteId: other }]);
    await expect(
      orderCart(buyer, seen.id, { shownTotalCents: seen.totalCents, version: seen.version }, 'k'),
    ).rejects.toMatchObject({ code: 'conflict' });
    await expectUntouched(cart);
    const { values, codes } = await settle<unknown>([
      orderCart(buyer, cart.id, {}),
      saveCartItems(buyer, cart.id, { items: [{ siteId: other }], version: cart.version }),
    ]);
    // Both succeed when the order reads the cart after the change.
    expect(values.length + codes.length).toBe(2);
    expect(values.length).toBeGreaterThan(0);
    const ordered = (await ordersOf(buyer)).length;
    const { items } = await getCart(buyer, cart.id);
    expect([
      [2, 0],
      [1, 0],
      [0, 1],
    ]).toContainEqual([ordered, items.length]);
  });
});

describe('a second order of a domain for a project', () => {
  const custom = (siteIds: number[], of = projectId) =>
    ({ kind: 'custom', projectId: of, siteIds, rejectDuplicates: true }) as const;

  it('is refused as a whole with the sites as fields, unless the buyer allows it', async () => {
    const placed = await createOrder(buyer, custom([first]), 'first');
    const refused = { code: 'duplicate_site', details: { fields: { [first]: expect.stringContaining('Order #') } } };
    const cart = await fillBoth();
    expect(cart.items.map(({ isDuplicate, linked }) => [isDuplicate, linked])).toEqual([
      [true, 'ordered'],
      [false, null],
    ]);
    const quote = await createQuote(buyer, { kind: 'custom', projectId, siteIds: [first, second] });
    await expect(createOrder(buyer, custom([second, first]))).rejects.toMatchObject(refused);
    await expect(createQuote(buyer, custom([second, first]))).rejects.toMatchObject(refused);
    await expect(orderCart(buyer, cart.id, {})).rejects.toMatchObject(refused);
    // The answer of the same key stays the first one.
    expect(await createOrder(buyer, custom([first]), 'first')).toEqual(placed);
    expect(await ordersOf(buyer)).toHaveLength(1);
    // Another project, and the documented default of POST /api/orders.
    await createOrder(buyer, custom([second], await makeProject(buyer)));
    await createOrder(buyer, { kind: 'custom', projectId, siteIds: [second] });
    await fundWallet(buyer.userId, 50_000);
    expect((await placeQuote(buyer, quote.id, quote.totalCents)).orders).toHaveLength(2);
    expect((await orderCart(buyer, cart.id, { allowDuplicates: true })).orders).toHaveLength(2);
  });

  it('counts the domain and the post type, and no order that was refunded, declined or deleted', async () => {
    const [{ domain = '' } = {}] = await db().select().from(sites).where(eq(sites.id, first));
    await change(second, { domain });
    // Two listings of one domain in one request.
    await expect(createOrder(buyer, custom([first, second]))).rejects.toMatchObject({
      code: 'duplicate_site',
      details: { fields: { [second]: expect.stringContaining(`#${first}`) } },
    });
    await change(second, { postType: 'Link insertion' });
    const placed = await createOrder(buyer, custom([first, second]));
    const id = placed.orders[0]?.id ?? 0;
    for (const values of [{ status: 'Refunded' }, { status: 'Rejected' }, { deletedAt: new Date() }] as const) {
      await expect(createQuote(buyer, custom([first]))).rejects.toMatchObject({ code: 'duplicate_site' });
      await db().update(orders).set(values).where(eq(orders.id, id));
      expect((await createQuote(buyer, custom([first]))).totalCents).toBe(10_000);
      await db().update(orders).set({ status: 'Pending', deletedAt: null }).where(eq(orders.id, id));
    }
  });

  it('of several at once is created once', async () => {
    const cart = await fill([{ siteId: first }]);
    const mine = await fill([{ siteId: first }], null);
    const quote = await createQuote(buyer, custom([first]));
    const { values, codes } = await settle<unknown>([
      createOrder(buyer, custom([first])),
      orderCart(buyer, cart.id, {}),
      orderCart(buyer, mine.id, { projectId }),
      placeQuote(buyer, quote.id, quote.totalCents),
    ]);
    expect(values).toHaveLength(1);
    expect(codes).toEqual(['duplicate_site', 'duplicate_site', 'duplicate_site']);
    expect(await ordersOf(buyer)).toHaveLength(1);
    await expectSoundBooks();
  });
});
