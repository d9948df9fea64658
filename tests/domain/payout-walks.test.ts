import { eq, inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { type PayoutState, payouts } from '@/db/schema/payouts';
import { placements } from '@/db/schema/placements';
import { settings } from '@/db/schema/settings';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { decideDispute } from '@/lib/orders/disputes/decide';
import { openDispute } from '@/lib/orders/disputes/open';
import { runPlacementClocks } from '@/lib/orders/placements/run-clocks';
import { approvePayout } from '@/lib/payouts/approve';
import { applyStatement } from '@/lib/payouts/bank/apply-statement';
import { exportPayouts } from '@/lib/payouts/bank/export';
import { markPayoutFailed, markPayoutPaid } from '@/lib/payouts/mark';
import { getNetCents, type Payout } from '@/lib/payouts/postings';
import { getAvailableCents, requestPayout, withdrawPayout } from '@/lib/payouts/request';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { bankAccount, makePayoutMethod } from '@/tests/factories/make-payout';
import { makeUser } from '@/tests/factories/make-user';
import { camt053 } from '@/tests/setup/bank-statement';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { checkLink, passLinkTime } from '@/tests/setup/link-checks';
import { accept, approve, deliver } from '@/tests/setup/placement-verbs';
import { returnByTwo } from '@/tests/setup/return-payout';

// The whole chain of a seller's money, from the order to the bank: what steps earn, claims return, and payouts take.

const hour = 3_600_000;
const states: Record<'over' | 'open', PayoutState[]> = {
  over: ['failed', 'returned', 'withdrawn'],
  open: ['requested', 'approved'],
};

async function scene() {
  const value = {
    ...{ minimumCents: 100, approvalLimitCents: 1_500, payer: bankAccount },
    feeCents: { bank: 30, paypal: 0, agreement: 0 },
  };
  await db().insert(settings).values({ key: 'payout-rules', value }).onConflictDoNothing();
  const [seller, first, second] = [await makeUser('Seller'), await makeUser('Admin'), await makeUser('Admin')];
  await makePayoutMethod(seller.userId);
  const offers = [await makeOffer(4_001, {}, { seller }), await makeOffer(2_777, {}, { seller })] as const;
  for (const offer of offers) {
    await accept(offer);
    await deliver(offer);
  }
  await approve(offers[0]);
  return { seller, staff: [first, second] as const, offers };
}
type Scene = Awaited<ReturnType<typeof scene>>;
type Taken = Scene & { offer: Offer; payout: Payout | { id: string; state: null }; by: Actor; number: number };

const payoutsOf = ({ seller }: Pick<Scene, 'seller'>) =>
  db().select().from(payouts).where(eq(payouts.sellerId, seller.userId)).orderBy(payouts.id);

/** Uploads a statement with an entry of each payout that was exported. */
async function upload(where: Taken, isReturn: boolean, amountOf: (payout: Payout) => number) {
  const entries = (await payoutsOf(where))
    .filter(({ batchId }) => batchId !== null)
    .map((row) => ({ id: row.id, cents: amountOf(row), isReturn }));
  return applyStatement(where.by, camt053([{ id: newId(), cents: 500, isReturn }, ...entries]));
}

const steps = {
  'approve the delivery': ({ offer }) => approve(offer),
  check: async ({ offer }) => {
    const [watch] = await db().select().from(linkWatches).where(eq(linkWatches.orderId, offer.id));
    return watch && checkLink(offer.id, 'ok');
  },
  'lose the link': async ({ offer }) => {
    const [watch] = await db().select().from(linkWatches).where(eq(linkWatches.orderId, offer.id));
    return watch && checkLink(offer.id, 'broken');
  },
  'pass time': async ({ offer, number }) => {
    await passLinkTime(offer.id, number * 26 * hour);
    return runPlacementClocks();
  },
  claim: async ({ offer, by, number }) => {
    const { id } = await openDispute(offer.buyer, offer.id, 'buyer', { reason: 'other', text: 'It differs.' });
    return decideDispute(by, id, { buyerPercent: number, note: 'Decided.' });
  },
  request: ({ seller, number }) => requestPayout(seller, number < 40 ? {} : { amountCents: number * 20 }),
  withdraw: ({ seller, payout }) => withdrawPayout(seller, payout.id),
  'approve the payout': ({ by, payout }) => approvePayout(by, payout.id),
  export: ({ by, payout, number }) =>
    exportPayouts(by, { format: number % 2 === 0 ? 'csv' : 'pain.001', ids: [payout.id] }),
  pay: ({ by, payout }) => markPayoutPaid(by, payout.id, { reference: '' }),
  fail: ({ by, payout }) => markPayoutFailed(by, payout.id, { reason: 'No' }),
  'return with a second person': ({ by, payout, staff }) =>
    returnByTwo(by, by === staff[0] ? staff[1] : staff[0], payout.id),
  'upload what was executed': (where) => upload(where, false, getNetCents),
  'upload what was returned': (where) => upload(where, true, getNetCents),
  'upload a forged statement': async (where) => {
    for (const isReturn of [false, true])
      expect(await upload(where, isReturn, (payout) => payout.amountCents + 1)).toMatchObject({ paid: 0, returned: 0 });
  },
} satisfies Record<string, (where: Taken) => Promise<unknown>>;
type Step = keyof typeof steps;

/** Steps that lead on from the state of the newest payout, so that walks reach every state. */
const likely: Record<PayoutState | 'none', Step[]> = {
  none: ['request'],
  requested: ['approve the payout', 'approve the payout', 'withdraw'],
  approved: ['export', 'export', 'pay', 'fail'],
  sent: [
    'upload what was executed',
    'upload what was executed',
    'upload a forged statement',
    'return with a second person',
    'request',
  ],
  paid: ['upload what was returned', 'request', 'return with a second person', 'upload what was executed'],
  failed: ['request', 'upload what was executed'],
  returned: ['request', 'upload what was returned'],
  withdrawn: ['request'],
};

const taken = fc.record({
  step: fc.oneof(
    { weight: 3, arbitrary: fc.constant('likely' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(steps) as Step[])) },
  ),
  nth: fc.integer({ min: 0, max: 1 }),
  number: fc.integer({ min: 0, max: 100 }),
});

type Move = { step: Step | 'likely'; nth: number; number: number };

/** One after the other, these steps lead a payout into each state. */
const everyState: Move[][] = (
  [
    ['pass time', 100],
    ['check', 0],
    ['request', 60],
    ['withdraw', 0],
    ['request', 60],
    ['approve the payout', 0],
    ['export', 0],
    ['upload what was executed', 0],
    ['upload what was returned', 0],
    ['request', 60],
    ['approve the payout', 1],
    ['fail', 0],
  ] satisfies [Step, number][]
).map(([step, number]) => [{ step, nth: 0, number }]);

async function run(where: Scene, { step, nth, number }: Move) {
  const payout = (await payoutsOf(where)).at(-1) ?? { id: newId(), state: null };
  const choices = likely[payout.state ?? 'none'];
  const chosen = step === 'likely' ? choices[number % choices.length] : step;
  const [offer, by] = [where.offers[nth], where.staff[number % 2]];
  if (!chosen || !offer || !by) throw new Error('The step is incomplete.');
  await steps[chosen]({ ...where, offer, payout, by, number }).catch((thrown: unknown) => {
    if (!(thrown instanceof AppError)) throw thrown;
  });
}

/** What became payable is available, on its way or paid out, to the cent. */
async function expectConsistent(where: Scene): Promise<PayoutState[]> {
  const all = await payoutsOf(where);
  const ids = where.offers.map(({ id }) => id);
  const ripe = (await db().select().from(placements).where(inArray(placements.orderId, ids))).reduce(
    (sum, { ripenedCents }) => sum + ripenedCents,
    0,
  );
  const out = all.filter(({ state }) => !states.over.includes(state)).reduce((sum, row) => sum + row.amountCents, 0);
  const available = await getAvailableCents(where.seller.userId);
  expect(available).toBeGreaterThanOrEqual(0);
  expect(available + out).toBe(ripe);
  expect(all.filter(({ state }) => states.open.includes(state)).length).toBeLessThanOrEqual(1);
  return all.map(({ state }) => state);
}

it('earnings, claims, payouts, bank files and statements in any order and at once keep sound books', {
  timeout: 300_000,
}, async () => {
  const reached = new Set<PayoutState>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(taken, { minLength: 1, maxLength: 4 }), { minLength: 10, maxLength: 14 }),
      async (rounds) => {
        const where = await scene();
        for (const round of rounds) {
          await Promise.all(round.map((one) => run(where, one)));
          for (const state of await expectConsistent(where)) reached.add(state);
        }
        await expectSoundBooks();
      },
    ),
    { numRuns: propertyRuns(4), examples: [[everyState]] },
  );
  expect([...reached].sort()).toEqual(
    Object.keys(likely)
      .filter((state) => state !== 'none')
      .sort(),
  );
});
