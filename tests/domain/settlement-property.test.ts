import fc from 'fast-check';
import { expect, it } from 'vitest';
import { paymentProviders } from '@/db/schema/topups';
import { AppError } from '@/lib/errors';
import { settleStatements } from '@/lib/payments/settlement/settle-statements';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { type Opened, someAddress, withProviders } from '@/tests/setup/payment-providers';
import { inAMoment, ledgerBalances, makeOlder, makeSettlementDue, settleAll } from '@/tests/setup/settlement';

const sandbox = withProviders();

const steps = [
  ...['pay', 'approve', 'return', 'deliver', 'deliver-reversed', 'refund-part', 'refund', 'refund-fail'],
  ...['dispute', 'dispute-won', 'dispute-lost'],
  ...['pay-out', 'pay-out-part', 'fail-payout', 'charge-fee', 'charge-elsewhere', 'settle'],
] as const;
type Step = (typeof steps)[number];

/** A refusal is an expected result. */
async function attempt(work: Promise<unknown>): Promise<void> {
  await work.catch((thrown: unknown) => {
    if (!(thrown instanceof AppError)) throw thrown;
  });
}

async function take(made: Opened, step: Step): Promise<void> {
  const { provider, reference, id, buyer } = made;
  const isWeChat = provider === 'wechat';
  const act = (action: string, fields = {}) => sandbox.act(provider, reference, action, fields);
  const move = (action: 'pay-out' | 'fail-payout' | 'charge-fee' | 'charge-elsewhere', fields = {}) =>
    sandbox.moveAccount(provider, action, { ...fields, daysAgo: isWeChat ? 3 : 0 });
  switch (step) {
    case 'return':
      return attempt(settleReturn(buyer, { topupId: id, reference: null }));
    case 'deliver-reversed':
      await act('deliver', { order: 'reversed' });
      return;
    case 'refund-part':
      await act('refund', { amount: 700 });
      return;
    case 'refund-fail':
      if (provider === 'stripe') await act('refund-fail');
      return;
    case 'pay-out':
      await move('pay-out');
      return;
    case 'pay-out-part':
      await move('pay-out', { amount: 900 });
      return;
    case 'fail-payout':
      await move('fail-payout');
      return;
    case 'charge-fee':
    case 'charge-elsewhere':
      await move(step, { amount: 450 });
      return;
    case 'settle':
      await makeSettlementDue();
      await settleStatements(inAMoment());
      return;
    default:
      await act(step);
  }
}

/** Delivers everything pending; WeChat Pay's days become days with a bill. */
async function deliverAll(tops: readonly Opened[]): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    for (const { provider, reference, id, buyer } of tops) {
      await sandbox.act(provider, reference, 'deliver');
      await attempt(settleReturn(buyer, { topupId: id, reference: null }));
      await sandbox.act(provider, reference, 'redeliver');
    }
  }
  for (const { provider, reference } of tops) {
    if (provider === 'wechat') await sandbox.act(provider, reference, 'backdate', { days: 3 });
  }
  await settleAll();
}

/** Sums by currency, without zeros. */
const summed = (...parts: Record<string, number>[]) => {
  const sums: Record<string, number> = {};
  for (const part of parts) {
    for (const [currency, minor] of Object.entries(part)) sums[currency] = (sums[currency] ?? 0) + minor;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, minor]) => minor !== 0));
};
const negated = (sums: Record<string, number>) =>
  Object.fromEntries(Object.entries(sums).map(([currency, minor]) => [currency, -minor]));

const currencyOf = { stripe: 'USD', paypal: 'USD', wechat: 'CNY' };

it('a provider owes what it holds after any events, and nothing once all is paid out', async () => {
  const likely: Step[] = [
    'pay',
    'approve',
    'return',
    'return',
    'deliver',
    'deliver',
    'settle',
    'settle',
    'pay-out-part',
  ];
  const move = fc.tuple(fc.nat(5), fc.constantFrom<Step>(...steps, ...likely));
  const script = fc.array(move, { minLength: 20, maxLength: 35 });
  await fc.assert(
    fc.asyncProperty(fc.tuple(script, script), async (workers) => {
      await sandbox.forget();
      for (const provider of paymentProviders) await sandbox.control(provider, { mode: 'hold' });
      await sandbox.control('wechat', { refundNotices: 'sent' });
      const passedBefore = new Map<string, Record<string, number>>();
      for (const provider of paymentProviders) {
        expect(await ledgerBalances('clearing', provider)).toEqual({});
        passedBefore.set(provider, await ledgerBalances('pass_through', provider));
      }
      const tops: Opened[] = [];
      const topups: Opened[] = [];
      for (const provider of paymentProviders) {
        const buyer = { ...(await makeUser()), ip: someAddress() };
        tops.push(await sandbox.open(provider, 5_000, buyer), await sandbox.open(provider, 3_100, buyer));
        // Keeps the balance above zero for any losses.
        const topup = await sandbox.open(provider, 90_000, buyer);
        topups.push(topup);
        await take(topup, provider === 'paypal' ? 'approve' : 'pay');
      }
      for (const { provider, id } of [...tops, ...topups]) if (provider === 'wechat') await makeOlder(id);
      for (const made of tops.slice(0, 5)) await take(made, made.provider === 'paypal' ? 'approve' : 'pay');
      await Promise.all(
        workers.map(async (moves) => {
          for (const [index, step] of moves) {
            const made = tops[index % tops.length];
            if (made) await take(made, step);
          }
        }),
      );
      await expectSoundBooks();
      await deliverAll([...tops, ...topups]);
      await expectSoundBooks();

      for (const provider of paymentProviders) {
        // The app's share of the balance equals clearing; the rest belongs to other shops and is not paid out yet.
        const { held, foreign } = await sandbox.accountOf(provider);
        const passed = summed(
          await ledgerBalances('pass_through', provider),
          negated(passedBefore.get(provider) ?? {}),
        );
        const others = { [currencyOf[provider]]: foreign };
        const owed = negated(await ledgerBalances('clearing', provider));
        expect({ provider, ...owed }).toEqual({ provider, ...summed(held, negated(others), passed) });
      }
      // A fee after the last payout makes the balance negative, which cannot be paid out; a last payment balances it.
      const last = await Promise.all(paymentProviders.map((provider) => sandbox.open(provider, 20_000)));
      for (const made of last) {
        if (made.provider === 'wechat') await makeOlder(made.id);
        await take(made, made.provider === 'paypal' ? 'approve' : 'pay');
      }
      await deliverAll(last);
      for (const provider of paymentProviders) {
        await sandbox.moveAccount(provider, 'pay-out', { daysAgo: provider === 'wechat' ? 2 : 0 });
      }
      await settleAll();
      await expectSoundBooks();
      for (const provider of paymentProviders) {
        expect({ provider, ...(await ledgerBalances('clearing', provider)) }).toEqual({ provider });
      }
    }),
    { numRuns: propertyRuns(6), endOnFailure: true },
  );
}, 400_000);
