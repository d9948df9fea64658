import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { payouts } from '@/db/schema/payouts';
import { settings } from '@/db/schema/settings';
import type { Actor } from '@/lib/access/actor';
import { approvePayout, approvePayouts } from '@/lib/payouts/approve';
import { markPayoutFailed, markPayoutPaid } from '@/lib/payouts/mark';
import { requestPayout, withdrawPayout } from '@/lib/payouts/request';
import { propertyRuns } from '@/scripts/testing/tier';
import { makePayableSeller } from '@/tests/factories/make-payout';
import { makeStaff } from '@/tests/factories/make-staff';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { returnByTwo } from '@/tests/setup/return-payout';
import { settle } from '@/tests/setup/settle';

// The limit of one person is $1,000.00 for a seller and 24 hours.

let first: Actor;
let second: Actor;

beforeEach(async () => {
  await db().delete(settings);
  first = await makeStaff('ManagePayouts');
  second = await makeStaff('ManagePayouts');
});
keepSoundBooks();

const request = async (seller: Actor, amountCents: number) => (await requestPayout(seller, { amountCents })).id;
const approve = async (id: string, by = first) => (await approvePayout(by, id)).state;
const pay = (id: string) => markPayoutPaid(first, id, { reference: '' });
/** Requests, approves and pays a payout, by two persons if necessary. @returns the state after the first approval */
async function payOut(seller: Actor, amountCents: number): Promise<string> {
  const id = await request(seller, amountCents);
  const state = await approve(id);
  if (state === 'requested') await approve(id, second);
  await pay(id);
  return state;
}
const rowsOf = (seller: Actor) =>
  db().select().from(payouts).where(eq(payouts.sellerId, seller.userId)).orderBy(payouts.id);
const makeOlder = (sellerId: string, hours: number) =>
  db()
    .update(payouts)
    .set({ approvedAt: sql`${payouts.approvedAt} - make_interval(hours => ${hours})` })
    .where(eq(payouts.sellerId, sellerId));

it('a payout of $5,000.00 in five parts needs two persons after the first part', async () => {
  const seller = await makePayableSeller(500_000);
  const states = [];
  for (let part = 0; part < 5; part += 1) states.push(await payOut(seller, 100_000));
  expect(states).toEqual(['approved', 'requested', 'requested', 'requested', 'requested']);
});

it('the sum is of one seller, to the cent, and of 24 hours', async () => {
  const [seller, other] = [await makePayableSeller(300_000), await makePayableSeller(300_000)];
  expect(await payOut(seller, 60_000)).toBe('approved');
  expect(await payOut(other, 100_000)).toBe('approved');
  expect(await payOut(seller, 40_000)).toBe('approved');
  expect(await payOut(seller, 5_000)).toBe('requested');
  await makeOlder(seller.userId, 25);
  expect(await payOut(seller, 100_000)).toBe('approved');
});

it('what was withdrawn, declined or returned does not count', async () => {
  const seller = await makePayableSeller(300_000);
  await withdrawPayout(seller, await request(seller, 90_000));
  await markPayoutFailed(first, await request(seller, 90_000), { reason: 'No' });
  const approved = await request(seller, 90_000);
  expect(await approve(approved)).toBe('approved');
  await markPayoutFailed(first, approved, { reason: 'No' });
  const paid = await request(seller, 90_000);
  expect(await approve(paid)).toBe('approved');
  await pay(paid);
  await returnByTwo(first, second, paid);
  expect(await payOut(seller, 90_000)).toBe('approved');
});

it('approvals at once do not exceed it', async () => {
  const seller = await makePayableSeller(300_000);
  const id = await request(seller, 90_000);
  await settle(Array.from({ length: 5 }, () => approvePayout(first, id)));
  const { values } = await settle([
    ...Array.from({ length: 3 }, () => pay(id)),
    ...Array.from({ length: 9 }, () => request(seller, 90_000).then((next) => approvePayout(first, next))),
  ]);
  const next = (await rowsOf(seller))[1]?.id ?? (await request(seller, 90_000));
  await settle<unknown>([
    approvePayout(first, next),
    approvePayouts(first, { ids: [next] }),
    approvePayout(first, next),
  ]);
  expect(values.length).toBeGreaterThanOrEqual(1);
  expect((await rowsOf(seller)).map(({ state, approvedBy }) => [state, approvedBy])).toEqual([
    ['paid', first.userId],
    ['requested', null],
  ]);
});

it('one person never approves more than the limit for a seller in 24 hours', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ cents: fc.integer({ min: 5_000, max: 110_000 }), isReturned: fc.boolean() }), {
        maxLength: 8,
      }),
      async (parts) => {
        const seller = await makePayableSeller(1_000_000);
        let sum = 0;
        for (const { cents, isReturned } of parts) {
          const isAlone = (await payOut(seller, cents)) === 'approved';
          expect(isAlone).toBe(sum + cents <= 100_000);
          const [last] = (await rowsOf(seller)).slice(-1);
          if (isReturned) await returnByTwo(first, second, last?.id ?? '');
          else sum += cents;
        }
      },
    ),
    { numRuns: propertyRuns(10) },
  );
});
