import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { orderStatuses, orders } from '@/db/schema/orders';
import { packages } from '@/db/schema/packages';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { getNetPaidCents } from '@/lib/orders/order/queries';
import { updateOrder } from '@/lib/orders/order/update';
import { deleteTransaction } from '@/lib/wallet/delete-transaction';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { settle } from '@/tests/setup/settle';

/** A wallet's credits, several so that each can be reversed. */
const credits = [1_500, 2_500, 4_000];
const sitePrices = [700, 1_250];
const packagePrice = 333;

async function scene() {
  const buyer = await makeUser();
  for (const cents of credits) await fundWallet(buyer.userId, cents);
  const seller = await makeUser('Seller');
  const siteIds: number[] = [];
  for (const cents of sitePrices) siteIds.push(await makeSite(seller.userId, cents));
  const [bundle] = await db().insert(packages).values({ name: 'Bundle', priceCents: packagePrice }).returning();
  const { rows } = await listWalletTransactions(buyer.userId, { limit: 500 });
  return {
    buyer,
    siteIds,
    packageId: bundle?.id ?? 0,
    projectId: await makeProject(buyer),
    creditIds: rows.map(({ id }) => id),
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

type Step =
  | { what: 'sites'; count: number; key: number }
  | { what: 'package'; quantity: number; key: number }
  | { what: 'status'; order: number; status: (typeof orderStatuses)[number]; isRejection: boolean }
  | { what: 'delete'; order: number }
  | { what: 'take back'; credit: number };

const key = fc.nat({ max: 3 });
const order = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('sites' as const), count: fc.integer({ min: 1, max: 2 }), key }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('package' as const), quantity: fc.integer({ min: 1, max: 4 }), key }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('status' as const),
      order,
      status: fc.constantFrom(...orderStatuses, 'Refunded' as const),
      isRejection: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), order }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('take back' as const), credit: fc.nat({ max: 2 }) }) },
);

const ordersOf = (buyer: Actor) =>
  db().select().from(orders).where(eq(orders.accountId, buyer.userId)).orderBy(orders.id);

async function run({ buyer, siteIds, packageId, projectId, creditIds }: Scene, admin: Actor, taken: Step) {
  const nth = async (index: number) => (await ordersOf(buyer))[index]?.id ?? 0;
  switch (taken.what) {
    case 'sites':
      return createOrder(
        buyer,
        { kind: 'custom', projectId, siteIds: siteIds.slice(0, taken.count) },
        `sites ${taken.key}`,
      );
    case 'package':
      return createOrder(
        buyer,
        { kind: 'package', projectId, packageId, quantity: taken.quantity },
        `package ${taken.key}`,
      );
    case 'status':
      return updateOrder(admin, await nth(taken.order), { status: taken.status, isRejection: taken.isRejection });
    case 'delete':
      return deleteOrder(admin, await nth(taken.order));
    case 'take back':
      return deleteTransaction(admin, creditIds[taken.credit] ?? '');
  }
}

/** Expected refusals: insufficient funds, deleted, used key, spent. */
async function runOrRefuse(where: Scene, admin: Actor, taken: Step): Promise<void> {
  await run(where, admin, taken).catch((thrown: unknown) => {
    const expected = ['insufficient_funds', 'conflict', 'not_found'];
    if (!(thrown instanceof AppError) || !expected.includes(thrown.code)) throw thrown;
  });
}

/** Invariants at rest: each order is paid once or not at all, and the wallet holds the rest. */
async function expectPaidOnce({ buyer }: Scene): Promise<void> {
  const made = await ordersOf(buyer);
  let paid = 0;
  for (const one of made) {
    const cents = await getNetPaidCents(db(), one.id);
    expect(cents, `order #${one.id}, ${one.status}`).toBe(one.status === 'Refunded' ? 0 : one.chargedCents);
    paid += cents;
  }
  const keys = made.map(({ checkoutId }) => checkoutId);
  expect(new Set(keys).size).toBeLessThanOrEqual(8);
  const { rows } = await listWalletTransactions(buyer.userId, { limit: 500 });
  const kept = rows.filter(({ orderId, type }) => orderId === null && type === 'credit');
  const credited = kept.reduce((sum, { amountCents }) => sum + amountCents, 0);
  expect(await getWalletBalance(buyer.userId)).toBe(credited - paid);
  await expectSoundBooks();
}

it('pays every order once for any sequence of actions by buyer and staff', {
  timeout: 180_000,
}, async () => {
  const admin = await makeUser('Admin');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
      const where = await scene();
      for (const taken of steps) await runOrRefuse(where, admin, taken);
      await expectPaidOnce(where);
    }),
    { numRuns: propertyRuns(20) },
  );
});

it('pays every order once when they all act concurrently', { timeout: 180_000 }, async () => {
  const admins = await Promise.all([makeUser('Admin'), makeUser('Admin'), makeUser('Admin'), makeUser('Admin')]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 9 }), { minLength: 4, maxLength: 4 }), async (plans) => {
      const where = await scene();
      await Promise.all(
        admins.map(async (admin, index) => {
          for (const taken of plans[index] ?? []) await runOrRefuse(where, admin, taken);
        }),
      );
      await expectPaidOnce(where);
    }),
    { numRuns: propertyRuns(20) },
  );
});

it('creates exactly the 5 affordable orders from 40 concurrent requests, each basket sent twice', async () => {
  const { buyer, projectId, siteIds } = await scene();
  const [cheap = 0] = siteIds;
  // The wallet holds 8,000; 4,500 are spent before.
  const { orders: before } = await createOrder(buyer, {
    kind: 'package',
    projectId,
    packageId: (await db().insert(packages).values({ name: 'Dear', priceCents: 4_500 }).returning())[0]?.id ?? 0,
    quantity: 1,
  });
  expect(before).toHaveLength(1);
  const keys = Array.from({ length: 20 }, () => newId());
  const press = (pressed: string) => createOrder(buyer, { kind: 'custom', projectId, siteIds: [cheap] }, pressed);
  const { values, codes } = await settle([...keys, ...keys].map(press));
  const made = new Set(values.map(({ orders: [one] }) => one?.id));
  expect(made.size).toBe(5);
  expect(new Set(codes)).toEqual(new Set(['insufficient_funds']));
  expect(await ordersOf(buyer)).toHaveLength(6);
  expect(await getWalletBalance(buyer.userId)).toBe(0);
  await expectSoundBooks();
});
