import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { paymentProviders, paymentReversals, topups } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import { createRefund } from '@/lib/payments/reversals/source-refunds/create';
import { sendRefunds } from '@/lib/payments/reversals/source-refunds/send';
import { cancelTopup, settleReturn } from '@/lib/payments/top-ups/checkout';
import { reconcileTopups } from '@/lib/payments/top-ups/reconcile';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { type Opened, someAddress, topupRow, withProviders } from '@/tests/setup/payment-providers';

const sandbox = withProviders();

/** Possible actions of users, providers and jobs on a top-up; impossible ones are refused and skipped. */
const steps = [
  ...[
    'pay',
    'approve',
    'pay-later',
    'complete-async',
    'fail-async',
    'expire',
    'late',
    'refund-part',
    'refund',
    'refund-fail',
  ],
  ...['dispute', 'dispute-won', 'dispute-lost', 'reverse', 'deliver', 'deliver-reversed', 'redeliver'],
  ...['return', 'cancel', 'reconcile', 'spend'],
  ...['own-refund', 'own-refund-pending', 'own-refund-refused', 'own-refund-lost', 'send-refunds', 'refund-complete'],
  ...['error', 'down', 'garbage', 'lost', 'forged', 'old'],
] as const;
type Step = (typeof steps)[number];

const paymentAt = z.object({
  state: z.object({ label: z.string() }),
  amount_total: z.number(),
  amount_refunded: z.number(),
});
const paidLabels = new Set(['Paid', 'Captured', 'Partly refunded', 'Refunded', 'Disputed', 'Dispute lost']);

/** Refusals are expected; a crash is not. */
async function attempt(work: Promise<unknown>): Promise<void> {
  await work.catch((thrown: unknown) => {
    if (!(thrown instanceof AppError)) throw thrown;
  });
}

/** The model's only state besides the providers' own: what was spent. */
type Model = { openedTopups: Opened[]; spentCents: number; staff: Actor };

async function take(model: Model, made: Opened, step: Step): Promise<void> {
  const { provider, reference, id, buyer } = made;
  const act = (action: string, fields = {}) => sandbox.act(provider, reference, action, fields);
  switch (step) {
    case 'late':
      await act(provider === 'paypal' ? 'approve' : 'pay', { force: true });
      return;
    case 'refund-part':
      await act('refund', { amount: 700 });
      return;
    case 'refund-fail':
      // At WeChat Pay such a refund is not final: see "only at WeChat Pay".
      if (provider === 'stripe') await act('refund-fail');
      return;
    case 'deliver-reversed':
      await act('deliver', { order: 'reversed' });
      return;
    case 'return':
      return attempt(settleReturn(buyer, { topupId: id, reference: null }));
    case 'cancel':
      return attempt(cancelTopup(buyer, id));
    case 'reconcile':
      await db().update(topups).set({ nextCheckAt: sql`now()` }).where(sql`status in ('created', 'pending')`);
      await reconcileTopups();
      return;
    case 'spend':
      return attempt(
        spendMoney(buyer, 1_300).then(() => {
          model.spentCents += 1_300;
        }),
      );
    case 'own-refund':
      return attempt(refundToSource(model, made));
    case 'own-refund-pending':
    case 'own-refund-refused':
      await sandbox.control(provider, { refundFate: step === 'own-refund-pending' ? 'pending' : 'refused' });
      await attempt(refundToSource(model, made));
      await sandbox.control(provider, { refundFate: 'succeeded' });
      return;
    case 'own-refund-lost':
      await sandbox.control(provider, { api: 'lost' });
      await attempt(refundToSource(model, made));
      await sandbox.control(provider, { api: 'normal' });
      return;
    case 'refund-complete':
      await act(provider === 'wechat' ? 'refund-arrives' : step);
      return;
    case 'send-refunds':
      return sendAllRefunds();
    // The provider fails during a buyer's return, and for all concurrent requests.
    case 'error':
    case 'down':
    case 'garbage':
    case 'lost':
      await sandbox.control(provider, { api: step });
      await attempt(settleReturn(buyer, { topupId: id, reference: null }));
      await sandbox.control(provider, { api: 'normal' });
      return;
    // Its events have an invalid signature, or one of ten minutes ago.
    case 'forged':
    case 'old':
      await sandbox.control(provider, { signature: step });
      await act('deliver');
      await act('redeliver');
      await sandbox.control(provider, { signature: 'valid' });
      return;
    default:
      await act(step);
  }
}

const refundToSource = ({ staff }: Model, { id }: Opened) =>
  createRefund(staff, { topupId: id, amountCents: 900, reason: 'Property' });

async function sendAllRefunds(): Promise<void> {
  await db().update(sourceRefunds).set({ nextActionAt: sql`now()` }).where(sql`next_action_at is not null`);
  await sendRefunds();
}

/** Delivers everything that is still pending. */
async function deliverAll({ openedTopups }: Model): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    for (const { provider, reference, id, buyer } of openedTopups) {
      await sandbox.act(provider, reference, 'deliver');
      await attempt(settleReturn(buyer, { topupId: id, reference: null }));
      await sandbox.act(provider, reference, 'redeliver');
      const arrives = provider === 'wechat' ? 'refund-arrives' : 'refund-complete';
      while ((await sandbox.act(provider, reference, arrives)) === 200)
        await sandbox.act(provider, reference, 'deliver');
    }
    await sendAllRefunds();
  }
}

/** The expected credit of a top-up, by the provider's current data. */
async function expectedCents({ provider, reference, id }: Opened): Promise<number> {
  const { state, amount_total, amount_refunded } = paymentAt.parse(await sandbox.look(provider, reference));
  if (!paidLabels.has(state.label)) return 0;
  const { amountCents } = await topupRow(id);
  if (provider === 'wechat') {
    const taken = await db().select().from(paymentReversals).where(sql`topup_id = ${id} and money = 'taken'`);
    const takenCents = taken.reduce((sum, one) => sum + one.amountCents, 0);
    expect(taken.reduce((sum, one) => sum + one.amountMinor, 0)).toBe(amount_refunded);
    expect(Math.abs(takenCents - (amountCents * amount_refunded) / amount_total)).toBeLessThan(1);
    return amountCents - takenCents;
  }
  if (provider === 'paypal' || !state.label.startsWith('Dispute')) return amountCents - amount_refunded;
  // Stripe withholds the remaining amount when a dispute begins; a refund that fails later is returned nevertheless.
  const [dispute] = await db().select().from(paymentReversals).where(sql`topup_id = ${id} and kind = 'dispute'`);
  return amountCents - amount_refunded - (dispute?.amountMinor ?? 0);
}

it('the books follow the providers for any concurrent sequence of actions', async () => {
  const likely: Step[] = ['pay', 'approve', 'return', 'return', 'deliver', 'deliver', 'deliver-reversed', 'redeliver'];
  const notifiedSteps: Step[] = [
    'refund-part',
    'dispute',
    'dispute',
    'dispute-won',
    'dispute-won',
    'dispute-lost',
    'spend',
    'own-refund',
    'own-refund',
    'own-refund-pending',
    'own-refund-lost',
    'send-refunds',
  ];
  const move = fc.tuple(fc.nat(5), fc.constantFrom<Step>(...steps, ...likely, ...notifiedSteps));
  const script = fc.array(move, { minLength: 40, maxLength: 70 });
  await fc.assert(
    fc.asyncProperty(fc.tuple(script, script, script), async (workers) => {
      const buyers = [await makeUser(), await makeUser()].map((buyer) => ({ ...buyer, ip: someAddress() }));
      const model: Model = { openedTopups: [], spentCents: 0, staff: await makeStaff('ManageWallets') };
      for (const buyer of buyers) {
        for (const provider of paymentProviders) model.openedTopups.push(await sandbox.open(provider, 5_000, buyer));
      }
      // Most are paid, so that there is something to refund.
      for (const made of model.openedTopups.slice(0, 5))
        await take(model, made, made.provider === 'paypal' ? 'approve' : 'pay');
      await Promise.all(
        workers.map(async (moves) => {
          for (const [index, step] of moves) {
            const made = model.openedTopups[index % model.openedTopups.length];
            if (made) await take(model, made, step);
          }
        }),
      );
      await expectSoundBooks();
      await deliverAll(model);

      await expectSoundBooks();
      const refunds = await db().select().from(sourceRefunds);
      expect(refunds.filter(({ state }) => state === 'processing' || state === 'requested')).toEqual([]);
      let expected = -model.spentCents;
      for (const made of model.openedTopups) expected += await expectedCents(made);
      let actual = 0;
      for (const buyer of buyers) {
        const balance = await getWalletBalance(buyer.userId);
        actual += balance - (await getOwedCents(buyer.userId));
        const { rows } = await listWalletTransactions(buyer.userId, { limit: 500 });
        const visible = rows
          .filter(({ status }) => status === 'Completed')
          .reduce((sum, { type, amountCents }) => sum + (type === 'credit' ? amountCents : -amountCents), 0);
        expect(visible).toBe(balance);
      }
      expect(actual).toBe(expected);
    }),
    { numRuns: propertyRuns(5), endOnFailure: true },
  );
  // Some thousand requests to the providers: minutes on a machine that runs other tests too.
}, 600_000);
