import { inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import { cancelUnclaimedPayout, sendWithPaypal } from '@/lib/payouts/paypal/staff-actions';
import { getAvailableCents } from '@/lib/payouts/request';
import { propertyRuns } from '@/scripts/testing/tier';
import { makePayout } from '@/tests/factories/make-payout';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { withProviders } from '@/tests/setup/payment-providers';
import { payoutRow, runDueBatches } from '@/tests/setup/paypal-payouts';
import { settle } from '@/tests/setup/settle';

const sandbox = withProviders();
const amountCents = 10_000;

const target = { at: fc.nat({ max: 2 }) };
const step = fc.oneof(
  fc.record({ do: fc.constantFrom('run', 'send') }),
  fc.record({ do: fc.constant('api'), api: fc.constantFrom('normal', 'normal', 'lost', 'error') }),
  fc.record({ do: fc.constantFrom('deliver', 'redeliver', 'cancel'), ...target }),
  fc.record({
    do: fc.constantFrom(
      ...['payout-succeed', 'payout-fail', 'payout-unclaimed', 'payout-hold', 'payout-return', 'payout-refund'],
      'payout-deny',
    ),
    ...target,
  }),
);
type Step = { do: string; at?: number; api?: string };

it('any sends, events, readings and returns at once pay each payout at most once and keep the books sound', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 6 }),
      async (rounds) => {
        await db().update(payoutBatches).set({ nextActionAt: null });
        await sandbox.forget();
        await sandbox.control('paypal', { mode: 'hold', payoutFate: 'wait', api: 'normal' });
        const made: Awaited<ReturnType<typeof makePayout>>[] = [];
        for (let index = 0; index < 3; index += 1)
          made.push(await makePayout('approved', { kind: 'paypal', amountCents }));
        const ids = made.map(({ payout }) => payout.id);
        const run = async (taken: Step): Promise<unknown> => {
          const [first] = made;
          const id = ids[taken.at ?? 0] ?? '';
          if (taken.do === 'run') return runDueBatches();
          if (taken.do === 'send') return first && sendWithPaypal(first.staff, { ids });
          if (taken.do === 'api') return sandbox.control('paypal', { api: taken.api ?? 'normal' });
          if (taken.do === 'cancel') return first && cancelUnclaimedPayout(first.staff, id);
          return sandbox.act('paypal', (await sandbox.payoutReference(id)) ?? 'none', taken.do);
        };
        await settle([run({ do: 'send' }), run({ do: 'run' })]);
        for (const round of rounds) await settle(round.map(run));
        await sandbox.control('paypal', { api: 'normal' });
        // The last answer wins, whatever was lost before.
        await runDueBatches();
        await runDueBatches();
        for (const [index, id] of ids.entries()) {
          const reference = await sandbox.payoutReference(id);
          const { state } = await payoutRow(id);
          const available = await getAvailableCents(made[index]?.seller.userId ?? '');
          expect(available).toBe(state === 'failed' || state === 'returned' ? amountCents : 0);
          const shown = reference ? await sandbox.look('paypal', reference) : {};
          expect(expectedStates[readStatus(shown)] ?? ['sent']).toContain(state);
        }
        const batches = await db().select({ id: payouts.batchId }).from(payouts).where(inArray(payouts.id, ids));
        expect(new Set(batches.map(({ id }) => id)).size).toBe(1);
      },
    ),
    { numRuns: propertyRuns(12) },
  );
  await expectSoundBooks();
}, 240_000);

/** The states of our payout for each state at PayPal. */
const expectedStates: Readonly<Record<string, readonly string[]>> = {
  SUCCESS: ['paid'],
  FAILED: ['failed'],
  DENIED: ['failed'],
  RETURNED: ['returned'],
  REFUNDED: ['returned'],
};

function readStatus(shown: unknown): string {
  return typeof shown === 'object' && shown !== null && 'status' in shown ? String(shown.status) : '';
}
