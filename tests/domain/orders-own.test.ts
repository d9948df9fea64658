import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orderStatuses, orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { exchangeRates } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { convertToUsdCents } from '@/lib/money';
import { buyerStatuses, listStatusesShownAs, toBuyerStatus } from '@/lib/orders/contract';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { repriceOrder } from '@/lib/orders/order/pricing';
import { getOrder, listOrderedProjects, listOrders } from '@/lib/orders/order/queries';
import { createOrderBody } from '@/lib/orders/order/schemas';
import { updateOrder } from '@/lib/orders/order/update';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { settle } from '@/tests/setup/settle';

let buyer: Actor;
let admin: Actor;
let sellerId = '';
let shop = '';
let blog = '';

beforeAll(async () => {
  [buyer, admin] = await Promise.all([makeUser(), makeUser('Admin')]);
  sellerId = (await makeUser('Seller')).userId;
  await fundWallet(buyer.userId, 1_000_000);
  shop = await makeProject(buyer, { domain: 'shop.example.com' });
  blog = await makeProject(buyer, { domain: 'blog.example.net' });
});

const newPackage = async (values: Partial<typeof packages.$inferInsert> = {}) => {
  const [made] = await db()
    .insert(packages)
    .values({ name: `Bundle ${newId()}`, priceCents: 2_000, ...values })
    .returning();
  if (!made) throw new Error('The package was not inserted.');
  return made;
};
const orderSite = async (projectId: string, values: Parameters<typeof makeSite>[2] = {}) => {
  const siteId = await makeSite(sellerId, 1_000, values);
  const { orders: made } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  return { id: made[0]?.id ?? 0, siteId };
};
const orderPackage = async (packageId: number, quantity = 1) => {
  const { orders: made } = await createOrder(buyer, { kind: 'package', projectId: shop, packageId, quantity });
  return made[0]?.id ?? 0;
};
const found = async (filter: Parameters<typeof listOrders>[1]) =>
  (await listOrders(buyer, filter)).rows.map(({ id }) => id);

describe('a buyer’s list', () => {
  it('filters by number, website, package, project and status, in pages', async () => {
    const word = newId();
    const site = await orderSite(blog, { url: `https://${word}.example.org` });
    const bundle = await newPackage({ name: `Links ${word}` });
    const ordered = await orderPackage(bundle.id);
    const both = [ordered, site.id].sort((a, b) => b - a);
    expect(await found({ q: word, limit: 100 })).toEqual(both);
    expect(await found({ q: `#${site.id}`, limit: 100 })).toContain(site.id);
    expect(await found({ q: `links ${word}`.toUpperCase(), limit: 100 })).toEqual([ordered]);
    expect(await found({ q: 'blog.example', projectId: blog, limit: 100 })).toContain(site.id);
    expect(await found({ q: word, projectId: shop, limit: 100 })).toEqual([ordered]);
    expect(await found({ q: '%', limit: 100 })).toEqual([]);
    await updateOrder(admin, ordered, { linkUrl: 'https://live.example.com/' });
    expect(await found({ q: word, statuses: listStatusesShownAs('Completed'), limit: 100 })).toEqual([ordered]);
    expect(await found({ q: word, statuses: listStatusesShownAs('Pending'), limit: 100 })).toEqual([site.id]);
    expect(await listOrders(buyer, { q: word, limit: 1, offset: 1 })).toMatchObject({
      total: 2,
      rows: [{ id: both[1] }],
    });
    await deleteOrder(admin, ordered);
    expect(await found({ q: word, limit: 100 })).toEqual([site.id]);
    expect((await listOrders(await makeUser(), { limit: 100 })).total).toBe(0);
  });

  it("offers the projects of the buyer's own orders", async () => {
    await orderSite(shop);
    await orderSite(blog);
    expect(await listOrderedProjects(buyer)).toEqual([
      { id: blog, domain: 'blog.example.net' },
      { id: shop, domain: 'shop.example.com' },
    ]);
    expect(await listOrderedProjects(admin)).toEqual([]);
  });
});

describe("the buyer's statuses", () => {
  it('are five, which together cover every order exactly once', () => {
    const behind = buyerStatuses.flatMap((seen) => listStatusesShownAs(seen) ?? []);
    expect([...behind].sort()).toEqual([...orderStatuses].sort());
    for (const status of orderStatuses) expect(listStatusesShownAs(toBuyerStatus(status))).toContain(status);
    expect(listStatusesShownAs('Live')).toBeUndefined();
  });

  it('show no event for a change between two that look the same', async () => {
    const { id } = await orderSite(shop);
    await updateOrder(admin, id, { linkUrl: 'https://live.example.com/' });
    await updateOrder(admin, id, { status: 'Completed' });
    const texts = async (reader: 'staff' | 'buyer') =>
      (await getTimeline({ id, accountId: buyer.userId }, reader)).map((entry) => entry.texts);
    expect((await texts('staff')).slice(1)).toEqual([
      ['Status changed from Pending to Live', 'Live link set'],
      ['Status changed from Live to Completed'],
    ]);
    expect((await texts('buyer')).slice(1)).toEqual([['Status changed from Pending to Completed', 'Live link set']]);
  });
});

describe('the displayed price', () => {
  const order = (siteId: number, shownTotalCents: number, key: string | null = null) =>
    createOrder(buyer, { kind: 'custom', projectId: shop, siteIds: [siteId], shownTotalCents }, key);

  it('is the maximum: a higher price is refused, and a lower one is charged', async () => {
    const siteId = await makeSite(sellerId, 1_000);
    const before = await getWalletBalance(buyer.userId);
    await db().update(sites).set({ publicPriceCents: 1_700, publicPriceUsdCents: 1_700 }).where(eq(sites.id, siteId));
    await expect(order(siteId, 1_000)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('$17.00, not $10.00'),
    });
    expect(await getWalletBalance(buyer.userId)).toBe(before);
    await order(siteId, 1_800);
    expect(await getWalletBalance(buyer.userId)).toBe(before - 1_700);
  });

  it('is not part of the request that an Idempotency-Key identifies', async () => {
    const siteId = await makeSite(sellerId, 1_000);
    const key = newId();
    const first = await order(siteId, 1_000, key);
    expect(await order(siteId, 5_000, key)).toEqual(first);
  });

  it('of several packages in another currency is converted once for all of them', async () => {
    const usdMicrosPerUnit = 1_083_335;
    await db().insert(exchangeRates).values({ id: newId(), currency: 'EUR', usdMicrosPerUnit });
    const { id } = await newPackage({ priceCents: 333, currency: 'EUR' });
    const shownTotalCents = convertToUsdCents(333 * 7, usdMicrosPerUnit);
    const input = { kind: 'package' as const, projectId: shop, packageId: id, quantity: 7 };
    const { orders: made } = await createOrder(buyer, { ...input, shownTotalCents });
    expect(made).toMatchObject([{ price: 23.31, currency: 'EUR', chargedCents: shownTotalCents }]);
    expect((await settle([createOrder(buyer, { ...input, shownTotalCents: shownTotalCents - 1 })])).codes).toEqual([
      'conflict',
    ]);
  });
});

describe('ordering again', () => {
  const again = async (id: number) => repriceOrder(await getOrder(buyer, id));

  it('returns the current price of the same site, or the reason without one', async () => {
    const { id, siteId } = await orderSite(shop, { url: 'https://again.example.com' });
    await db().update(sites).set({ publicPriceCents: 1_200, publicPriceUsdCents: 1_200 }).where(eq(sites.id, siteId));
    expect(await again(id)).toMatchObject({ item: { siteId, chargedCents: 1_200, quantity: 1 } });
    await db().update(sites).set({ status: 'Pending' }).where(eq(sites.id, siteId));
    expect(await again(id)).toEqual({ refusal: 'https://again.example.com is no longer on sale.' });
  });

  it('returns the price of the same package in the same quantity', async () => {
    const bundle = await newPackage({ name: 'Starter' });
    const id = await orderPackage(bundle.id, 3);
    await db().update(packages).set({ priceCents: 2_500 }).where(eq(packages.id, bundle.id));
    expect(await again(id)).toMatchObject({ item: { packageId: bundle.id, quantity: 3, chargedCents: 7_500 } });
    await db().update(packages).set({ isOnSale: false }).where(eq(packages.id, bundle.id));
    expect(await again(id)).toEqual({ refusal: 'Starter is no longer on sale.' });
  });

  it('orders nothing by itself', async () => {
    const { id } = await orderSite(shop);
    const before = (await db().select().from(orders).where(eq(orders.accountId, buyer.userId))).length;
    await again(id);
    expect(await db().select().from(orders).where(eq(orders.accountId, buyer.userId))).toHaveLength(before);
  });
});

it('parses the quantity: invalid input is 1, and out of range is an error', () => {
  const quantity = (given: unknown) => {
    const parsed = createOrderBody.safeParse({ kind: 'package', projectId: 'p', packageId: 1, quantity: given });
    if (!parsed.success) return parsed.error.issues[0]?.message;
    return parsed.data.kind === 'package' ? parsed.data.quantity : null;
  };
  for (const given of ['', 'two', '2 pieces', undefined, null, {}, Number.NaN]) expect(quantity(given)).toBe(1);
  expect([quantity('7'), quantity(100)]).toEqual([7, 100]);
  expect(quantity(0)).toBe('Order at least one.');
  expect(quantity('-3')).toBe('Order at least one.');
  expect(quantity(2.5)).toBe('Use a whole number.');
  expect(quantity(101)).toBe('Order at most 100 at once.');
});
