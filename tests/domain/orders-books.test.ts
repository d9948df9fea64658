import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { type OrderStatus, orderStatuses, orders } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getWalletBalance } from '@/lib/ledger/balance';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { updateOrder } from '@/lib/orders/order/update';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

type Step =
  | { what: 'status'; order: number; status: OrderStatus; isRejection: boolean }
  | { what: 'link'; order: number; link: string }
  | { what: 'delete'; order: number };

const order = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('status' as const),
      order,
      status: fc.constantFrom(...orderStatuses, 'Refunded' as const),
      isRejection: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('link' as const),
      order,
      link: fc.constantFrom('', 'https://a.example/1', 'https://b.example/2'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), order }) },
);

/** Runs a step; refusals (insufficient funds, deleted meanwhile) are expected. */
async function run(admin: Actor, ids: number[], taken: Step): Promise<{ status: OrderStatus } | 'deleted' | 'refused'> {
  const id = ids[taken.order] ?? 0;
  try {
    if (taken.what === 'delete') {
      await deleteOrder(admin, id);
      return 'deleted';
    }
    const input =
      taken.what === 'link' ? { linkUrl: taken.link } : { status: taken.status, isRejection: taken.isRejection };
    return { status: (await updateOrder(admin, id, input)).status };
  } catch (thrown) {
    if (thrown instanceof AppError && ['conflict', 'not_found'].includes(thrown.code)) return 'refused';
    throw thrown;
  }
}

const prices = [1_000, 2_550, 399];

async function scene(spareCents: number) {
  const buyer = await makeUser();
  const seller = await makeUser('Seller');
  await fundWallet(
    buyer.userId,
    prices.reduce((sum, price) => sum + price, spareCents),
  );
  const siteIds: number[] = [];
  for (const price of prices) siteIds.push(await makeSite(seller.userId, price));
  const projectId = await makeProject(buyer);
  const made = await createOrder(buyer, { kind: 'custom', projectId, siteIds });
  return { buyer, ids: made.orders.map((one) => one.id) };
}

it('keeps the wallet equal to an in-memory model for any actions of one admin', { timeout: 120_000 }, async () => {
  const admin = await makeUser('Admin');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), fc.nat({ max: 500 }), async (steps, spareCents) => {
      const { buyer, ids } = await scene(spareCents);
      let balance = spareCents;
      const refunded = new Set<number>();
      for (const taken of steps) {
        const outcome = await run(admin, ids, taken);
        const price = prices[taken.order] ?? 0;
        if (typeof outcome === 'object') {
          if (outcome.status === 'Refunded' && !refunded.has(taken.order)) balance += price;
          if (outcome.status !== 'Refunded' && refunded.has(taken.order)) balance -= price;
          if (outcome.status === 'Refunded') refunded.add(taken.order);
          else refunded.delete(taken.order);
        }
        expect(await getWalletBalance(buyer.userId)).toBe(balance);
      }
      await expectSoundBooks();
    }),
    { numRuns: propertyRuns(25) },
  );
});

it('keeps the books sound and pays once for any actions of concurrent admins', { timeout: 120_000 }, async () => {
  const admins = await Promise.all([makeUser('Admin'), makeUser('Admin'), makeUser('Admin')]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { maxLength: 8 }), { minLength: 3, maxLength: 3 }),
      fc.nat({ max: 3_000 }),
      async (plans, spareCents) => {
        const { buyer, ids } = await scene(spareCents);
        await Promise.all(
          admins.map(async (admin, index) => {
            for (const taken of plans[index] ?? []) await run(admin, ids, taken);
          }),
        );
        // Deleted orders count too: hiding one moves no money.
        const left = await db().select().from(orders).where(eq(orders.accountId, buyer.userId));
        const refunds = left.filter((one) => one.status === 'Refunded').map((one) => one.chargedCents);
        const expected = refunds.reduce((sum, cents) => sum + cents, spareCents);
        expect(await getWalletBalance(buyer.userId)).toBe(expected);
        await expectSoundBooks();
      },
    ),
    { numRuns: propertyRuns(25) },
  );
});
