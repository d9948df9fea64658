import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { notices } from '@/db/schema/notices';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { type PaymentProviderName, paymentProviders, paymentReversals } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import { updateProviderConfig } from '@/lib/payments/config/update-config';
import { createRefund } from '@/lib/payments/reversals/source-refunds/create';
import { retryRefund, sendRefunds } from '@/lib/payments/reversals/source-refunds/send';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { catchUpEvents } from '@/lib/payments/webhooks/catch-up';
import { retryNotifications } from '@/lib/payments/webhooks/retry-notifications';
import { deleteTransaction } from '@/lib/wallet/delete-transaction';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { rotatingThird } from '@/scripts/testing/tier';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { expectSoundBooks, keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { type Opened, topupRow, withProviders } from '@/tests/setup/payment-providers';
import { testInTurn } from '@/tests/setup/test-in-turn';

const sandbox = withProviders();
const amountCents = 5_000;
const conflict = { code: 'conflict' };
let staff: Actor;

beforeEach(async () => {
  staff = await makeStaff('ManageWallets');
  // The providers forget the payments of earlier tests.
  await db().update(sourceRefunds).set({ nextActionAt: null });
});
keepSoundBooks();

async function paid(provider: PaymentProviderName): Promise<Opened> {
  const made = await sandbox.open(provider, amountCents);
  expect(await sandbox.act(provider, made.reference, provider === 'paypal' ? 'approve' : 'pay')).toBe(200);
  await settleReturn(made.buyer, { topupId: made.id, reference: null });
  await deliver(made);
  expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents);
  return made;
}

const refund = ({ id }: Opened, cents: number, by = staff, key: string | null = null) =>
  createRefund(by, { topupId: id, amountCents: cents, reason: 'Asked by phone' }, key);
const balanceOf = ({ buyer }: Opened) => getWalletBalance(buyer.userId);
const refundsOf = ({ id }: Opened) =>
  db().select().from(sourceRefunds).where(eq(sourceRefunds.topupId, id)).orderBy(sourceRefunds.id);
const reversalsOf = ({ id }: Opened) =>
  db().select().from(paymentReversals).where(eq(paymentReversals.topupId, id)).orderBy(paymentReversals.id);
const deliver = async ({ provider, reference }: Opened) => {
  await sandbox.act(provider, reference, 'deliver');
  await sandbox.act(provider, reference, 'redeliver');
};
/** Runs the job as if every wait had passed. */
async function runJob() {
  await db().update(sourceRefunds).set({ nextActionAt: sql`now()` }).where(sql`next_action_at is not null`);
  return sendRefunds();
}
/** The news that follow the payment. */
const newsOf = async ({ buyer }: Opened) => ({
  bell: (await db().select().from(notices).where(eq(notices.userId, buyer.userId)))
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'topup.paid'),
  mails: (await db().select().from(mails).where(eq(mails.recipient, buyer.email))).map(({ subject }) => subject),
});

describe.each(paymentProviders)('a refund to the payment method by %s', (provider) => {
  const itInTurn = testInTurn(provider);
  /** In a run, each outage at one provider; in the full run, at all of them. */
  const outages = rotatingThird(['down', 'error', 'garbage'], paymentProviders.indexOf(provider));

  it('succeeds: it is debited once, whatever reports it afterwards', async () => {
    const made = await paid(provider);
    await refund(made, 2_000);
    expect(await refundsOf(made)).toMatchObject([
      { state: 'succeeded', money: 'sent', amountCents: 2_000, nextActionAt: null },
    ]);
    await deliver(made);
    await runJob();
    await catchUpEvents();
    expect(await balanceOf(made)).toBe(3_000);
    const [reversal, ...others] = await reversalsOf(made);
    expect(others).toEqual([]);
    expect(reversal).toMatchObject({ kind: 'refund', money: 'taken', amountCents: 2_000, excessMinor: 0 });
    expect(await sandbox.look(provider, made.reference)).toMatchObject({ amount_refunded: reversal?.amountMinor });
    expect((await topupRow(made.id)).status).toBe('paid');
    expect(await newsOf(made)).toMatchObject({ bell: ['refund.succeeded'], mails: ['Your refund was sent'] });
    const { rows } = await listWalletTransactions(made.buyer.userId, { limit: 10 });
    expect(rows).toMatchObject([
      { type: 'debit', amountCents: 2_000 },
      { type: 'credit', amountCents },
    ]);
  });

  it('in three parts adds up to the charge exactly, and no more can be refunded', async () => {
    const made = await paid(provider);
    for (const cents of [1_667, 1_666, 1_667]) await refund(made, cents);
    await deliver(made);
    const { chargeAmountMinor, status } = await topupRow(made.id);
    expect(status).toBe('refunded');
    expect((await refundsOf(made)).reduce((sum, one) => sum + (one.chargeMinor ?? 0), 0)).toBe(chargeAmountMinor);
    expect(await sandbox.look(provider, made.reference)).toMatchObject({ amount_refunded: chargeAmountMinor });
    expect(await balanceOf(made)).toBe(0);
    await expect(refund(made, 1)).rejects.toMatchObject(conflict);
  });

  itInTurn('of which the response is lost is found by the webhook, and then by the job', async () => {
    const made = await paid(provider);
    await sandbox.control(provider, { api: 'lost' });
    await refund(made, 2_000);
    await sandbox.control(provider, { api: 'normal' });
    expect(await refundsOf(made)).toMatchObject([{ state: 'processing', money: 'held' }]);
    expect(await balanceOf(made)).toBe(3_000);
    await deliver(made);
    expect(await refundsOf(made)).toMatchObject([{ state: 'succeeded', money: 'sent' }]);
    await runJob();
    expect(await balanceOf(made)).toBe(3_000);
    expect(await reversalsOf(made)).toHaveLength(1);
  });

  itInTurn('of which every response is lost is made once, and found by the job', async () => {
    const made = await paid(provider);
    await sandbox.control(provider, { api: 'lost' });
    await refund(made, 2_000);
    await runJob();
    await sandbox.control(provider, { api: 'normal' });
    await runJob();
    expect(await refundsOf(made)).toMatchObject([{ state: 'succeeded' }]);
    const [reversal] = await reversalsOf(made);
    expect(await sandbox.look(provider, made.reference)).toMatchObject({ amount_refunded: reversal?.amountMinor });
    await deliver(made);
    expect(await balanceOf(made)).toBe(3_000);
  });

  it.each(outages)('while the provider is %s is made when it responds again', async (api) => {
    const made = await paid(provider);
    await sandbox.control(provider, { api });
    await refund(made, 2_000);
    const [waiting] = await refundsOf(made);
    expect(waiting).toMatchObject({ state: 'processing', money: 'held', providerReference: null });
    expect(waiting?.error).not.toBe('');
    expect(await runJob()).toMatchObject({ failed: 1 });
    await sandbox.control(provider, { api: 'normal' });
    await retryRefund(staff, waiting?.id ?? '');
    expect(await refundsOf(made)).toMatchObject([{ state: 'succeeded', error: '' }]);
    expect(await balanceOf(made)).toBe(3_000);
  });

  it('that the provider refuses returns to the wallet, once', async () => {
    const made = await paid(provider);
    await sandbox.control(provider, { refundFate: 'refused' });
    await refund(made, 2_000);
    const [failed] = await refundsOf(made);
    expect(failed).toMatchObject({ state: 'failed', money: 'returned', nextActionAt: null });
    expect(failed?.error).not.toBe('');
    expect(await balanceOf(made)).toBe(amountCents);
    await runJob();
    await deliver(made);
    expect(await balanceOf(made)).toBe(amountCents);
    expect(await newsOf(made)).toMatchObject({ bell: ['refund.failed'], mails: ['Your refund failed'] });
    await sandbox.control(provider, { refundFate: 'succeeded' });
    await refund(made, amountCents);
    expect(await balanceOf(made)).toBe(0);
  });

  itInTurn(
    'of a payment that the provider does not know returns to the wallet, at the first call and at a later one',
    async () => {
      const [first, later] = [await paid(provider), await paid(provider)];
      await sandbox.control(provider, { api: 'down' });
      await refund(later, 2_000);
      expect(await refundsOf(later)).toMatchObject([{ state: 'processing', attempts: 1 }]);
      await sandbox.forget();
      await refund(first, 2_000);
      await runJob();
      for (const made of [first, later]) {
        expect(await refundsOf(made)).toMatchObject([{ state: 'failed', money: 'returned', nextActionAt: null }]);
        expect(await balanceOf(made)).toBe(amountCents);
      }
    },
  );

  it('that is pending and arrives, or fails, ends as the provider states', async () => {
    const [first, second] = [await paid(provider), await paid(provider)];
    await sandbox.control(provider, { refundFate: 'pending' });
    for (const made of [first, second]) {
      await refund(made, 2_000);
      expect(await refundsOf(made)).toMatchObject([{ state: 'processing' }]);
      await deliver(made);
      await runJob();
      expect(await refundsOf(made)).toMatchObject([{ state: 'processing' }]);
      expect(await balanceOf(made)).toBe(3_000);
    }
    await sandbox.act(provider, first.reference, provider === 'wechat' ? 'refund-arrives' : 'refund-complete');
    await sandbox.act(provider, second.reference, provider === 'wechat' ? 'refund-close' : 'refund-fail');
    await deliver(first);
    await runJob();
    await deliver(second);
    expect(await refundsOf(first)).toMatchObject([{ state: 'succeeded' }]);
    expect(await refundsOf(second)).toMatchObject([{ state: 'failed' }]);
    expect([await balanceOf(first), await balanceOf(second)]).toEqual([3_000, amountCents]);
  });

  itInTurn('that fails at once returns to the wallet, by an event or by the answer', async () => {
    const made = await paid(provider);
    await sandbox.control(provider, { refundFate: 'failed' });
    await refund(made, 2_000);
    await deliver(made);
    expect(await refundsOf(made)).toMatchObject([{ state: 'failed', money: 'returned' }]);
    expect(await balanceOf(made)).toBe(amountCents);
    expect((await newsOf(made)).bell).toEqual(['refund.failed']);
  });

  itInTurn('of another amount at the provider is booked as the provider states, and ours returns', async () => {
    const made = await paid(provider);
    const { chargeAmountMinor } = await topupRow(made.id);
    const alterAmount = Math.floor(chargeAmountMinor / 2);
    await sandbox.control(provider, { alterAmount, alterApi: true });
    await refund(made, 2_000);
    const [own] = await refundsOf(made);
    const [reversal] = await reversalsOf(made);
    // The sandbox does not alter PayPal's response to a request.
    if (provider === 'paypal') expect(own?.state).toBe('succeeded');
    else {
      expect(own).toMatchObject({ state: 'failed', money: 'returned', error: expect.stringMatching(/instead of/) });
      expect(reversal).toMatchObject({ money: 'taken', amountMinor: alterAmount });
    }
    expect(await balanceOf(made)).toBe(amountCents - (reversal?.amountCents ?? 0));
  });

  itInTurn('leaves refunds in the dashboard of the provider as they are', async () => {
    const made = await paid(provider);
    const { chargeAmountMinor } = await topupRow(made.id);
    await sandbox.act(provider, made.reference, 'refund', { amount: Math.floor(chargeAmountMinor / 4) });
    await refund(made, 2_000);
    await deliver(made);
    expect(await reversalsOf(made)).toHaveLength(2);
    const [own] = await refundsOf(made);
    expect(own?.state).toBe('succeeded');
    expect(await balanceOf(made)).toBe(amountCents - 2_000 - 1_250);
    await expect(refund(made, 2_000)).rejects.toMatchObject({ code: 'invalid_input' });
    await refund(made, 1_750);
    await deliver(made);
    expect(await sandbox.look(provider, made.reference)).toMatchObject({ amount_refunded: chargeAmountMinor });
    expect(await balanceOf(made)).toBe(0);
  });

  itInTurn('runs once for two requests with one key, and never above the payment for many at once', async () => {
    const made = await paid(provider);
    const [one, other] = await Promise.all([refund(made, 1_000, staff, 'same'), refund(made, 1_000, staff, 'same')]);
    expect(one.refundId).toBe(other.refundId);
    const at = await Promise.allSettled([3_000, 3_000, 3_000, 4_000].map((cents) => refund(made, cents)));
    expect(at.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await deliver(made);
    const sent = (await refundsOf(made)).reduce((sum, { amountCents: cents }) => sum + cents, 0);
    expect(await balanceOf(made)).toBe(amountCents - sent);
  });

  itInTurn('cannot be more than the wallet holds, and an order cannot spend it', async () => {
    const made = await paid(provider);
    await spendMoney(made.buyer, 4_000);
    await expect(refund(made, 1_001)).rejects.toMatchObject({ code: 'invalid_input' });
    const results = await Promise.allSettled([refund(made, 1_000), spendMoney(made.buyer, 1_000)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balanceOf(made)).toBe(0);
  });

  itInTurn('in progress prevents the deletion of its credit', async () => {
    const made = await paid(provider);
    await sandbox.control(provider, { api: 'down' });
    await refund(made, 2_000);
    const { rows } = await listWalletTransactions(made.buyer.userId, { limit: 10 });
    const credit = rows.find(({ type }) => type === 'credit');
    await expect(deleteTransaction(staff, credit?.id ?? '')).rejects.toMatchObject(conflict);
    await sandbox.control(provider, { api: 'normal' });
  });
});

it.each([
  ['paypal', 'client_id'],
  ['wechat', 'mchid'],
] as const)('a refund in progress by %s keeps the account (%s) as it is', async (provider, field) => {
  const made = await paid(provider);
  await sandbox.control(provider, { refundFate: 'pending' });
  await refund(made, 2_000);
  const admin = await makeUser('Admin');
  const change = () => updateProviderConfig(admin, provider, { [field]: '1900000110' });
  await expect(change()).rejects.toMatchObject({ ...conflict, message: expect.stringContaining('in progress') });
});

describe.each(['stripe', 'paypal'] as const)('a dispute at %s', (provider) => {
  it('that is open refuses a refund with the reason', async () => {
    const made = await paid(provider);
    await sandbox.act(provider, made.reference, 'dispute');
    await deliver(made);
    await expect(refund(made, 1_000)).rejects.toMatchObject({ code: 'conflict', message: /dispute/i });
    await sandbox.act(provider, made.reference, 'dispute-won');
    await deliver(made);
    await retryNotifications();
    await refund(made, 1_000);
    expect(await refundsOf(made)).toMatchObject([{ state: 'succeeded' }]);
  });

  it('of the whole payment while a refund is in progress takes the rest alone', async () => {
    const made = await paid(provider);
    await sandbox.control(provider, { api: 'down' });
    await refund(made, 3_000);
    await sandbox.control(provider, { api: 'normal' });
    await sandbox.act(provider, made.reference, 'dispute');
    await deliver(made);
    await expectSoundBooks();
    await runJob();
    // The provider refuses to refund a disputed payment, so the refund's part is disputed like the rest.
    expect(await refundsOf(made)).toMatchObject([{ state: 'failed' }]);
    const [dispute] = await reversalsOf(made);
    const takenCents = dispute?.money === 'taken' ? amountCents : 0;
    expect((await balanceOf(made)) - (await getOwedCents(made.buyer.userId))).toBe(amountCents - takenCents);
  });
});

it('a refund that the buyer’s account refuses at WeChat Pay waits until staff send it elsewhere', async () => {
  const made = await paid('wechat');
  await sandbox.control('wechat', { refundFate: 'abnormal' });
  await refund(made, 2_000);
  await deliver(made);
  const [stuck] = await refundsOf(made);
  expect(stuck).toMatchObject({ state: 'processing', money: 'held', error: expect.stringContaining('WeChat Pay') });
  await sandbox.act('wechat', made.reference, 'refund-arrives');
  await deliver(made);
  expect(await refundsOf(made)).toMatchObject([{ state: 'succeeded', error: '' }]);
  expect(await balanceOf(made)).toBe(3_000);
});

it('a refund by Stripe that fails after its success returns to the wallet, once', async () => {
  const made = await paid('stripe');
  await refund(made, 2_000);
  await sandbox.act('stripe', made.reference, 'refund-fail');
  await deliver(made);
  await deliver(made);
  expect(await refundsOf(made)).toMatchObject([{ state: 'failed', money: 'returned' }]);
  expect(await balanceOf(made)).toBe(amountCents);
  expect((await newsOf(made)).bell.sort()).toEqual(['refund.failed', 'refund.succeeded']);
});
