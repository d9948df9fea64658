import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orderQuotes, orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { projects } from '@/db/schema/projects';
import { exchangeRates, settings } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { removeOldRecords } from '@/lib/jobs/remove-old-records';
import { getWalletBalance } from '@/lib/ledger/balance';
import { createOrder } from '@/lib/orders/order/create';
import { createQuote, placeQuote } from '@/lib/orders/order/quotes';
import { flagKey } from '@/lib/settings/feature-flags';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { settle } from '@/tests/setup/settle';

const ordersOf = ({ userId }: Actor) => db().select().from(orders).where(eq(orders.accountId, userId));

/** A buyer with $500.00 and a quote for two sites at $100.00 and $60.00. */
async function quoteTwoSites(balanceCents = 50_000) {
  const buyer = await makeUser();
  if (balanceCents > 0) await fundWallet(buyer.userId, balanceCents);
  const projectId = await makeProject(buyer);
  const owner = (await makeUser('Seller')).userId;
  const siteIds = [await makeSite(owner, 10_000), await makeSite(owner, 6_000)];
  const [first = 0, second = 0] = siteIds;
  const quote = await createQuote(buyer, { kind: 'custom', projectId, siteIds, brief: { anchor: 'spades' } });
  return { buyer, projectId, siteIds, first, second, quote };
}

const place = (buyer: Actor, quote: { id: string; totalCents: number }) =>
  placeQuote(buyer, quote.id, quote.totalCents);

async function expectNothingOrdered(buyer: Actor, balanceCents = 50_000): Promise<void> {
  expect(await ordersOf(buyer)).toEqual([]);
  expect(await getWalletBalance(buyer.userId)).toBe(balanceCents);
}

describe('a quote', () => {
  it('has the price and brief of each item, the total and the balance, and orders nothing', async () => {
    const { buyer, siteIds, quote } = await quoteTwoSites();
    expect(quote).toMatchObject({ totalCents: 16_000, balanceCents: 50_000, missingCents: 0, topUpPath: null });
    expect(quote.warnings).toEqual([]);
    expect(quote.items.map(({ siteId, chargedCents }) => [siteId, chargedCents])).toEqual([
      [siteIds[0], 10_000],
      [siteIds[1], 6_000],
    ]);
    expect(quote.items[0]?.brief).toMatchObject({ anchor: 'spades', targetUrl: 'https://shop.example.com/spades' });
    expect(new Date(quote.expiresAt).getTime() - Date.now()).toBeGreaterThan(9 * 60_000);
    await expectNothingOrdered(buyer);
  });

  it('tells what is missing, and placing it is refused until the money is there', async () => {
    const { buyer, quote } = await quoteTwoSites(1_000);
    expect(quote).toMatchObject({ missingCents: 15_000, topUpPath: '/user/wallet?topup=150.00' });
    await expect(place(buyer, quote)).rejects.toMatchObject({ code: 'insufficient_funds' });
    await expectNothingOrdered(buyer, 1_000);
    await fundWallet(buyer.userId, 15_000);
    expect((await place(buyer, quote)).orders).toHaveLength(2);
    await expectSoundBooks();
  });

  it('of the same order costs what the order costs', async () => {
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 100_000_000);
    const projectId = await makeProject(buyer);
    const owner = (await makeUser('Seller')).userId;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 5 }),
        async (prices) => {
          const siteIds = await Promise.all(prices.map((price) => makeSite(owner, price)));
          const before = await getWalletBalance(buyer.userId);
          const quote = await createQuote(buyer, { kind: 'custom', projectId, siteIds });
          await place(buyer, quote);
          expect(before - (await getWalletBalance(buyer.userId))).toBe(quote.totalCents);
        },
      ),
      { numRuns: propertyRuns(10) },
    );
    await expectSoundBooks();
  });

  it('is removed a day after it expired', async () => {
    const { quote } = await quoteTwoSites();
    const expire = (interval: string) =>
      db()
        .update(orderQuotes)
        .set({ expiresAt: sql`now() - ${interval}::interval` })
        .where(eq(orderQuotes.id, quote.id));
    await expire('23 hours');
    expect((await removeOldRecords()).quotes).toBe(0);
    await expire('25 hours');
    expect((await removeOldRecords()).quotes).toBe(1);
  });

  it('is refused while the MCP server is turned off', async () => {
    const { buyer, quote, projectId, siteIds } = await quoteTwoSites();
    await db()
      .insert(settings)
      .values({ key: flagKey('mcp'), value: false });
    const { codes } = await settle<unknown>([
      place(buyer, quote),
      createQuote(buyer, { kind: 'custom', projectId, siteIds }),
    ]);
    await db()
      .delete(settings)
      .where(eq(settings.key, flagKey('mcp')));
    expect(codes).toEqual(['not_configured', 'not_configured']);
    await expectNothingOrdered(buyer);
  });
});

describe('placing a quote', () => {
  it('orders and charges what was quoted', async () => {
    const { buyer, quote } = await quoteTwoSites();
    const { orders: placed } = await place(buyer, quote);
    expect(placed.map(({ chargedCents, brief }) => [chargedCents, brief?.anchor])).toEqual([
      [10_000, 'spades'],
      [6_000, 'spades'],
    ]);
    expect(await getWalletBalance(buyer.userId)).toBe(34_000);
    await expectSoundBooks();
  });

  it('twice, or 20 times at once, orders once and answers the same orders, also after the quote expired', async () => {
    const { buyer, quote } = await quoteTwoSites();
    const { values, codes } = await settle(Array.from({ length: 20 }, () => place(buyer, quote)));
    expect(codes).toEqual([]);
    expect(values).toEqual(Array.from({ length: 20 }, () => values[0]));
    await db()
      .update(orderQuotes)
      .set({ expiresAt: new Date(0) })
      .where(eq(orderQuotes.id, quote.id));
    expect(await place(buyer, quote)).toEqual(values[0]);
    expect(await ordersOf(buyer)).toHaveLength(2);
    expect(await getWalletBalance(buyer.userId)).toBe(34_000);
    await expectSoundBooks();
  });

  it('is refused with another total than that of the quote', async () => {
    const { buyer, quote } = await quoteTwoSites();
    for (const total of [quote.totalCents - 1, quote.totalCents + 1, 0]) {
      await expect(placeQuote(buyer, quote.id, total)).rejects.toMatchObject({ code: 'conflict' });
    }
    await expectNothingOrdered(buyer);
  });

  it('is refused after ten minutes', async () => {
    const { buyer, quote } = await quoteTwoSites();
    await db().update(orderQuotes).set({ expiresAt: sql`now()` }).where(eq(orderQuotes.id, quote.id));
    await expect(place(buyer, quote)).rejects.toMatchObject({
      code: 'conflict',
      message:
        'The quote expired: it was valid for 10 minutes. Nothing was ordered. Request a new quote and show it to the buyer.',
    });
    await expectNothingOrdered(buyer);
  });

  it('is refused to another user, and to another token or session of the same user', async () => {
    const { buyer, quote } = await quoteTwoSites();
    const token = { id: newId(), name: 'Agent', scopes: ['orders:write'] };
    const others = [await makeUser(), { ...buyer, sessionId: newId() }, { ...buyer, sessionId: '', token }];
    const { values, codes } = await settle(others.map((other) => place(other, quote)));
    expect([values, codes]).toEqual([[], ['not_found', 'not_found', 'not_found']]);
    await expectNothingOrdered(buyer);
  });

  type Quoted = Awaited<ReturnType<typeof quoteTwoSites>>;
  const setSite = (id: number, values: Partial<typeof sites.$inferInsert>) =>
    db().update(sites).set(values).where(eq(sites.id, id));
  it.each<[string, (quoted: Quoted) => Promise<unknown>, string]>([
    [
      'a price rose',
      ({ first }) => setSite(first, { publicPriceCents: 10_001, publicPriceUsdCents: 10_001 }),
      'is now $100.01, not $100.00.',
    ],
    [
      'a price fell',
      ({ second }) => setSite(second, { publicPriceCents: 5_000, publicPriceUsdCents: 5_000 }),
      'is now $50.00, not $60.00.',
    ],
    ['a site left the catalog', ({ first }) => setSite(first, { status: 'Rejected' }), 'is no longer available'],
    ['a site was deleted', ({ second }) => setSite(second, { deletedAt: new Date() }), 'is no longer available'],
    ['a site has another address', ({ first }) => setSite(first, { url: 'https://other.example' }), 'changed.'],
    [
      'the project has another target',
      ({ projectId }) =>
        db().update(projects).set({ targetUrl: 'https://evil.example' }).where(eq(projects.id, projectId)),
      'The brief for',
    ],
    [
      'the project was deleted',
      ({ projectId }) => db().update(projects).set({ deletedAt: new Date() }).where(eq(projects.id, projectId)),
      'no longer exists',
    ],
  ])('is refused with the reason when %s', async (_, change, reason) => {
    const quoted = await quoteTwoSites();
    await change(quoted);
    const refused = place(quoted.buyer, quoted.quote);
    await expect(refused).rejects.toThrow(reason);
    await expect(refused).rejects.toThrow('Nothing was ordered. Request a new quote and show it to the buyer.');
    await expectNothingOrdered(quoted.buyer);
  });

  it('is refused when the exchange rate changed', async () => {
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 50_000);
    const projectId = await makeProject(buyer);
    const setRate = (usdMicrosPerUnit: number) =>
      db().insert(exchangeRates).values({ id: newId(), currency: 'CAD', usdMicrosPerUnit });
    await setRate(700_000);
    const siteId = await makeSite((await makeUser('Seller')).userId, 10_000, { publicCurrency: 'CAD' });
    const quote = await createQuote(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
    expect(quote).toMatchObject({ totalCents: 7_000, items: [{ price: 100, currency: 'CAD', usdPerUnit: 0.7 }] });
    await setRate(710_000);
    await expect(place(buyer, quote)).rejects.toThrow('now costs $71.00, not $70.00.');
    await expectNothingOrdered(buyer);
  });

  it('of a package is refused when the package is withdrawn, and else orders its quantity', async () => {
    const buyer = await makeUser();
    await fundWallet(buyer.userId, 50_000);
    const projectId = await makeProject(buyer);
    const [made] = await db()
      .insert(packages)
      .values({ name: 'Starter', description: 'Three posts', priceCents: 9_900, currency: 'USD' })
      .returning();
    const packageId = made?.id ?? 0;
    const request = { kind: 'package' as const, projectId, packageId, quantity: 2 };
    const [kept, withdrawn] = [await createQuote(buyer, request), await createQuote(buyer, request)];
    expect((await place(buyer, kept)).orders).toMatchObject([
      { packageName: 'Starter', quantity: 2, chargedCents: 19_800 },
    ]);
    await db().update(packages).set({ deletedAt: new Date() }).where(eq(packages.id, packageId));
    await expect(place(buyer, withdrawn)).rejects.toThrow('no longer on sale');
  });

  it('does not replace the order of another request with the same key', async () => {
    const { buyer, quote, projectId, siteIds } = await quoteTwoSites();
    await createOrder(buyer, { kind: 'custom', projectId, siteIds: siteIds.slice(0, 1) }, `quote:${quote.id}`);
    await expect(place(buyer, quote)).rejects.toMatchObject({ code: 'conflict' });
    expect(await ordersOf(buyer)).toHaveLength(1);
  });
});
