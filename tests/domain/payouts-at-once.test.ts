import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { isOpenPayout, payouts } from '@/db/schema/payouts';
import { newId } from '@/lib/ids';
import { approvePayout } from '@/lib/payouts/approve';
import { markPayoutFailed, markPayoutPaid } from '@/lib/payouts/mark';
import { getAvailableCents, requestPayout, withdrawPayout } from '@/lib/payouts/request';
import { propertyRuns } from '@/scripts/testing/tier';
import { makePayableSeller } from '@/tests/factories/make-payout';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { settle } from '@/tests/setup/settle';

const openOf = (sellerId: string) =>
  db()
    .select()
    .from(payouts)
    .where(and(eq(payouts.sellerId, sellerId), isOpenPayout));

it('200 requests of one seller at once make one payout', async () => {
  const seller = await makePayableSeller(50_000);
  const { values, codes } = await settle(
    Array.from({ length: 200 }, (_, index) =>
      requestPayout(seller, { amountCents: 5_000 + index * 100, ...(index % 2 && { idempotencyKey: newId() }) }),
    ),
  );
  expect(values).toHaveLength(1);
  expect(new Set(codes)).toEqual(new Set(['conflict']));
  const open = await openOf(seller.userId);
  expect(open).toHaveLength(1);
  expect(await getAvailableCents(seller.userId)).toBe(50_000 - (open[0]?.amountCents ?? 0));
  await expectSoundBooks();
});

it('200 requests with one key at once all return the same payout', async () => {
  const seller = await makePayableSeller(50_000);
  const idempotencyKey = newId();
  const made = await Promise.all(Array.from({ length: 200 }, () => requestPayout(seller, { idempotencyKey })));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(await getAvailableCents(seller.userId)).toBe(0);
  await expectSoundBooks();
});

const step = fc.oneof(
  fc.record({ kind: fc.constant('request' as const), amountCents: fc.integer({ min: 1, max: 30_000 }) }),
  fc.record({ kind: fc.constantFrom('withdraw', 'approve', 'paid', 'failed') }),
);

it('any steps at once keep one open payout, a balance of at least zero, and sound books', async () => {
  const staff = await makeUser('Admin');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { maxLength: 4 }), async (rounds) => {
      const seller = await makePayableSeller(25_000);
      for (const round of rounds) {
        const made = await db().select({ id: payouts.id }).from(payouts).where(eq(payouts.sellerId, seller.userId));
        const { id } = made.at(-1) ?? { id: newId() };
        await settle(
          round.map((taken): Promise<unknown> => {
            if (taken.kind === 'request' && 'amountCents' in taken) return requestPayout(seller, taken);
            if (taken.kind === 'withdraw') return withdrawPayout(seller, id);
            if (taken.kind === 'approve') return approvePayout(staff, id);
            if (taken.kind === 'paid') return markPayoutPaid(staff, id, { reference: '' });
            return markPayoutFailed(staff, id, { reason: 'Refused' });
          }),
        );
        expect((await openOf(seller.userId)).length).toBeLessThanOrEqual(1);
        const all = await db().select().from(payouts).where(eq(payouts.sellerId, seller.userId));
        const kept = all.filter(({ state }) => state === 'requested' || state === 'approved' || state === 'paid');
        const available = await getAvailableCents(seller.userId);
        expect(available).toBeGreaterThanOrEqual(0);
        expect(available + kept.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(25_000);
      }
    }),
    { numRuns: propertyRuns(12) },
  );
  await expectSoundBooks();
});
