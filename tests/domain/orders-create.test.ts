import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { checkouts, orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import { exchangeRates } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { adjustmentsAccount, postTransfer, walletAccount } from '@/lib/ledger/post-transfer';
import { createOrder } from '@/lib/orders/order/create';
import { listOfferedPackages } from '@/lib/packages/packages';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { settle } from '@/tests/setup/settle';

async function buyerWith(amountCents: number) {
  const buyer = await makeUser();
  if (amountCents > 0) await fundWallet(buyer.userId, amountCents);
  return { buyer, projectId: await makeProject(buyer) };
}

const sellerId = async () => (await makeUser('Seller')).userId;
const ordersOf = (userId: string) => db().select().from(orders).where(eq(orders.accountId, userId));

describe('ordering sites', () => {
  it('creates one order per site and charges exactly their price', async () => {
    const { buyer, projectId } = await buyerWith(50_000);
    const owner = await sellerId();
    const siteIds = [await makeSite(owner, 12_345), await makeSite(owner, 6_789)];
    const answer = await createOrder(buyer, { kind: 'custom', projectId, siteIds });
    expect(answer.orders.map((order) => order.price)).toEqual([123.45, 67.89]);
    expect(await getWalletBalance(buyer.userId)).toBe(50_000 - 12_345 - 6_789);
    expect(new Set((await ordersOf(buyer.userId)).map((order) => order.checkoutId)).size).toBe(1);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, buyer.userId));
    expect(lines.map((line) => line.action)).toEqual(['order.created', 'order.created']);
    await expectSoundBooks();
  });

  it('refuses a site whose price converts to less than one cent', async () => {
    const { buyer, projectId } = await buyerWith(50_000);
    await db().insert(exchangeRates).values({ id: newId(), currency: 'AUD', usdMicrosPerUnit: 12_000 });
    const siteIds = [await makeSite(await sellerId(), 40, { publicCurrency: 'AUD' })];
    const { codes } = await settle([createOrder(buyer, { kind: 'custom', projectId, siteIds })]);
    expect(codes).toEqual(['conflict']);
    expect(await ordersOf(buyer.userId)).toEqual([]);
    expect(await getWalletBalance(buyer.userId)).toBe(50_000);
  });

  it('creates exactly 5 of 40 concurrent orders with money for 5', async () => {
    const { buyer, projectId } = await buyerWith(5 * 2_000);
    const siteId = await makeSite(await sellerId(), 2_000);
    const { values, codes } = await settle(
      Array.from({ length: 40 }, () => createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] })),
    );
    expect(values).toHaveLength(5);
    expect(new Set(codes)).toEqual(new Set(['insufficient_funds']));
    expect(await ordersOf(buyer.userId)).toHaveLength(5);
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    await expectSoundBooks();
  });

  it('creates nothing without sufficient funds, and returns the missing amount and the wallet URL', async () => {
    const { buyer, projectId } = await buyerWith(1_000);
    const owner = await sellerId();
    const siteIds = [await makeSite(owner, 900), await makeSite(owner, 1_350)];
    await expect(createOrder(buyer, { kind: 'custom', projectId, siteIds })).rejects.toMatchObject({
      code: 'insufficient_funds',
      message: 'This costs $22.50, and your wallet balance is $10.00. Add $12.50 to pay.',
      details: { url: '/user/wallet?topup=12.50' },
    });
    expect(await ordersOf(buyer.userId)).toEqual([]);
    expect(await getWalletBalance(buyer.userId)).toBe(1_000);
  });

  it('uses no order number when the wallet clearly cannot pay', async () => {
    const { buyer, projectId } = await buyerWith(1_000);
    const owner = await sellerId();
    const [cheap, dear] = [await makeSite(owner, 500), await makeSite(owner, 9_000)];
    const order = (siteId: number) => createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
    const before = await order(cheap);
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(order(dear)).rejects.toMatchObject({ code: 'insufficient_funds' });
    }
    const after = await order(cheap);
    expect(after.orders[0]?.id).toBe((before.orders[0]?.id ?? 0) + 1);
  });

  it('requires a top-up of at least 1.00 when only cents are missing', async () => {
    const { buyer, projectId } = await buyerWith(990);
    const siteId = await makeSite(await sellerId(), 1_000);
    await expect(createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] })).rejects.toMatchObject({
      details: { url: '/user/wallet?topup=1.00' },
    });
  });

  it.each([
    ['is pending', { status: 'Pending' as const }],
    ['is rejected', { status: 'Rejected' as const }],
    ['has no public price', { publicPriceCents: null, publicPriceUsdCents: null }],
    ['was deleted', { deletedAt: new Date() }],
  ])('rejects the whole selection when one site %s', async (_, values) => {
    const { buyer, projectId } = await buyerWith(50_000);
    const owner = await sellerId();
    const siteIds = [await makeSite(owner, 1_000), await makeSite(owner, 1_000, values)];
    const { codes } = await settle([createOrder(buyer, { kind: 'custom', projectId, siteIds })]);
    expect(codes).toEqual(['conflict']);
    expect(await ordersOf(buyer.userId)).toEqual([]);
    expect(await getWalletBalance(buyer.userId)).toBe(50_000);
  });

  it('charges the current price, not the displayed one', async () => {
    const { buyer, projectId } = await buyerWith(50_000);
    const siteId = await makeSite(await sellerId(), 1_000);
    await db().update(sites).set({ publicPriceCents: 1_700, publicPriceUsdCents: 1_700 }).where(eq(sites.id, siteId));
    await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
    expect(await getWalletBalance(buyer.userId)).toBe(50_000 - 1_700);
  });

  it('charges another currency at the newest rate and stores price, currency and rate', async () => {
    const { buyer, projectId } = await buyerWith(50_000);
    const siteId = await makeSite(await sellerId(), 10_000, { publicCurrency: 'EUR' });
    const order = () => createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
    expect((await settle([order()])).codes).toEqual(['not_configured']);
    const past = new Date(Date.now() - 1_000);
    await db()
      .insert(exchangeRates)
      .values({ id: newId(), currency: 'EUR', usdMicrosPerUnit: 1_200_000, effectiveAt: past });
    await db().insert(exchangeRates).values({ id: newId(), currency: 'EUR', usdMicrosPerUnit: 1_083_335 });
    await order();
    const [made] = await ordersOf(buyer.userId);
    expect(made).toMatchObject({
      priceCents: 10_000,
      currency: 'EUR',
      usdMicrosPerUnit: 1_083_335,
      chargedCents: 10_833,
    });
    expect(await getWalletBalance(buyer.userId)).toBe(50_000 - 10_833);
  });

  it("returns not found for another buyer's project and a deleted one", async () => {
    const { buyer } = await buyerWith(50_000);
    const other = await buyerWith(0);
    const deleted = await makeProject(buyer, { deletedAt: new Date() });
    const siteIds = [await makeSite(await sellerId(), 1_000)];
    const { codes } = await settle(
      [other.projectId, deleted, 'nothing'].map((projectId) =>
        createOrder(buyer, { kind: 'custom', projectId, siteIds }),
      ),
    );
    expect(codes).toEqual(['not_found', 'not_found', 'not_found']);
  });
});

describe('ordering a package', () => {
  it('refuses a package whose price converts to less than one cent', async () => {
    const { buyer, projectId } = await buyerWith(50_000);
    await db().insert(exchangeRates).values({ id: newId(), currency: 'INR', usdMicrosPerUnit: 12_000 });
    const values = { name: 'Tiny', priceCents: 40, currency: 'INR' as const };
    const [made] = await db().insert(packages).values(values).returning();
    const packageId = made?.id ?? 0;
    const { codes } = await settle([createOrder(buyer, { kind: 'package', packageId, quantity: 1, projectId })]);
    expect(codes).toEqual(['conflict']);
    expect((await listOfferedPackages()).map(({ id }) => id)).not.toContain(packageId);
    expect(await ordersOf(buyer.userId)).toEqual([]);
  });

  it('multiplies by the quantity and rejects a package that is no longer on sale', async () => {
    const { buyer, projectId } = await buyerWith(50_000);
    const [made] = await db().insert(packages).values({ name: 'Starter', priceCents: 4_999 }).returning();
    const packageId = made?.id ?? 0;
    const answer = await createOrder(buyer, { kind: 'package', projectId, packageId, quantity: 3 });
    expect(answer.orders).toMatchObject([{ packageName: 'Starter', quantity: 3, price: 149.97 }]);
    expect(await getWalletBalance(buyer.userId)).toBe(50_000 - 14_997);
    await db().update(packages).set({ isOnSale: false });
    const { codes } = await settle([createOrder(buyer, { kind: 'package', projectId, packageId, quantity: 1 })]);
    expect(codes).toEqual(['conflict']);
    await expectSoundBooks();
  });
});

describe('an Idempotency-Key', () => {
  it('creates one order for concurrent requests, with the same response', async () => {
    const { buyer, projectId } = await buyerWith(50_000);
    const siteId = await makeSite(await sellerId(), 1_500);
    const key = newId();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] }, key)),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await ordersOf(buyer.userId)).toHaveLength(1);
    expect(await getWalletBalance(buyer.userId)).toBe(50_000 - 1_500);
  });

  it('returns the first order to a concurrent repeat, also when it took the last money', async () => {
    const { buyer, projectId } = await buyerWith(1_500);
    const siteId = await makeSite(await sellerId(), 1_500);
    for (const key of [newId(), newId()]) {
      const press = () => createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] }, key);
      const { values, codes } = await settle(Array.from({ length: 12 }, press));
      expect(codes).toEqual([]);
      for (const answer of values) expect(answer).toEqual(values[0]);
      expect(await getWalletBalance(buyer.userId)).toBe(0);
      await fundWallet(buyer.userId, 1_500);
    }
    await expectSoundBooks();
  });

  it('leaves nothing behind when the last statement of an order fails', async () => {
    const { buyer, projectId } = await buyerWith(5_000);
    const siteId = await makeSite(await sellerId(), 1_500);
    const [last] = (await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] })).orders;
    // The next order's transfer finds its key taken.
    await postTransfer(db(), {
      key: `order:${(last?.id ?? 0) + 1}`,
      kind: 'manual_topup',
      from: adjustmentsAccount,
      to: walletAccount(buyer.userId),
      amountCents: 1,
      currency: 'USD',
    });
    await makeUser('Admin');
    const queuedMails = () => db().$count(mails);
    const before = await queuedMails();
    const key = newId();
    const order = () => createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] }, key);
    await expect(order()).rejects.toMatchObject({ code: 'conflict' });
    expect(await ordersOf(buyer.userId)).toHaveLength(1);
    expect(await db().select().from(checkouts).where(eq(checkouts.accountId, buyer.userId))).toHaveLength(1);
    expect(await db().select().from(auditLogs).where(eq(auditLogs.userId, buyer.userId))).toHaveLength(1);
    expect(await queuedMails()).toBe(before);
    expect(await getWalletBalance(buyer.userId)).toBe(3_501);
    // The key can be used again.
    expect((await order()).orders).toHaveLength(1);
    expect(await queuedMails()).toBeGreaterThan(before);
  });

  it('is rejected for another request, and can be reused after a refusal', async () => {
    const { buyer, projectId } = await buyerWith(0);
    const siteId = await makeSite(await sellerId(), 1_500);
    const key = newId();
    const order = (siteIds: number[]) => createOrder(buyer, { kind: 'custom', projectId, siteIds }, key);
    expect((await settle([order([siteId])])).codes).toEqual(['insufficient_funds']);
    await fundWallet(buyer.userId, 10_000);
    expect((await settle([order([siteId])])).values).toHaveLength(1);
    // A separate code, so that a screen can distinguish it from a site that is no longer on sale.
    await expect(order([siteId, siteId + 1])).rejects.toMatchObject({
      code: 'conflict',
      details: { fields: { idempotencyKey: expect.any(String) } },
    });
    expect(await getWalletBalance(buyer.userId)).toBe(8_500);
  });

  it('belongs to its buyer: another buyer may use the same one', async () => {
    const [one, two] = [await buyerWith(5_000), await buyerWith(5_000)];
    const siteIds = [await makeSite(await sellerId(), 1_500)];
    for (const { buyer, projectId } of [one, two])
      await createOrder(buyer, { kind: 'custom', projectId, siteIds }, 'same');
    expect([await getWalletBalance(one.buyer.userId), await getWalletBalance(two.buyer.userId)]).toEqual([
      3_500, 3_500,
    ]);
  });
});
