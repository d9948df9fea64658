import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { paymentConfigs } from '@/db/schema/payment-configs';
import { exchangeRates } from '@/db/schema/settings';
import { type PaymentProviderName, paymentProviders, topups, webhookEvents } from '@/db/schema/topups';
import { systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { findPaymentConfig, savePaymentConfig } from '@/lib/payments/config/config';
import { cancelTopup, settleReturn } from '@/lib/payments/top-ups/checkout';
import { createTopup } from '@/lib/payments/top-ups/create';
import { reconcileTopups } from '@/lib/payments/top-ups/reconcile';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { rotatingThird } from '@/scripts/testing/tier';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { cnyMicros, type Opened, someAddress, topupRow, withProviders } from '@/tests/setup/payment-providers';
import { testInTurn } from '@/tests/setup/test-in-turn';

const sandbox = withProviders();
keepSoundBooks();

const amountCents = 10_000;

type Way = {
  provider: PaymentProviderName;
  /** The buyer pays, or approves: the app collects PayPal payments. */
  pay: string;
  /** The payment is pending. */
  payLater: [action: string, fields?: Record<string, string>];
  late: [action: string, fields?: Record<string, boolean>];
  hasDisputes: boolean;
};

const ways: Way[] = [
  { provider: 'stripe', pay: 'pay', payLater: ['pay-later'], late: ['pay', { force: true }], hasDisputes: true },
  {
    provider: 'paypal',
    pay: 'approve',
    payLater: ['approve', { capture: 'pending' }],
    late: ['approve', { force: true }],
    hasDisputes: true,
  },
  { provider: 'wechat', pay: 'pay', payLater: ['pay-later'], late: ['pay', { force: true }], hasDisputes: false },
];

describe.each(ways)('$provider', ({ provider, pay, payLater, late, hasDisputes }) => {
  const itInTurn = testInTurn(provider);
  /** In a run, each outage at one provider; in the full run, at all of them. */
  const outages = rotatingThird(['down', 'garbage', 'error'], paymentProviders.indexOf(provider));
  const back = ({ buyer, id }: Opened) => settleReturn(buyer, { topupId: id, reference: null });
  const act = (made: Opened, action: string, fields = {}) => sandbox.act(provider, made.reference, action, fields);
  /** All held events, also those caused by the app's own calls meanwhile. */
  const deliver = async (made: Opened, order = 'as_made') => {
    await act(made, 'deliver', { order });
    await act(made, 'deliver', { order });
  };
  const balance = (made: Opened) => getWalletBalance(made.buyer.userId);
  const open = (cents = amountCents) => sandbox.open(provider, cents);
  const paid = async (cents = amountCents) => {
    const made = await open(cents);
    expect(await act(made, pay)).toBe(200);
    return made;
  };
  const credited = async () => {
    const made = await paid();
    await back(made);
    await deliver(made);
    expect(await balance(made)).toBe(amountCents);
    return made;
  };
  const audit = async (entityId: string) =>
    (await db().select().from(auditLogs).where(eq(auditLogs.entityId, entityId)).orderBy(auditLogs.id)).map(
      ({ action }) => action,
    );
  /** Credited once, audited once, listed once. */
  const expectOneCredit = async (made: Opened, cents = amountCents) => {
    expect(await balance(made)).toBe(cents);
    expect((await audit(made.id)).filter((action) => action === 'topup.paid')).toHaveLength(1);
    const { rows } = await listWalletTransactions(made.buyer.userId, { limit: 10 });
    expect(rows.filter(({ type, status }) => type === 'credit' && status === 'Completed')).toHaveLength(1);
  };
  const unprocessed = () =>
    db()
      .select()
      .from(webhookEvents)
      .where(and(eq(webhookEvents.provider, provider), sql`processed_at is null`));
  const suspense = async (currency: string) =>
    (await verifyBooks()).totals.find((total) => total.kind === 'suspense' && total.currency === currency)
      ?.balanceCents ?? 0;

  it('is paid: by the return alone', async () => {
    const made = await paid();
    expect((await back(made)).status).toBe('paid');
    await expectOneCredit(made);
  });

  it('is paid: by the webhook alone', async () => {
    const made = await paid();
    await deliver(made);
    await expectOneCredit(made);
    expect(await unprocessed()).toEqual([]);
  });

  it.each(['before', 'during', 'after'])('is paid: webhook %s the return', async (order) => {
    const made = await paid();
    if (order === 'before') await deliver(made);
    await Promise.all([back(made), back(made), order === 'during' ? deliver(made) : undefined]);
    await deliver(made);
    expect((await back(made)).status).toBe('paid');
    await expectOneCredit(made);
    expect(await unprocessed()).toEqual([]);
  });

  itInTurn('is credited once for repeated, concurrent and reordered notifications', async () => {
    const made = await open();
    await sandbox.control(provider, { duplicate: 4 });
    await act(made, pay);
    await deliver(made, 'reversed');
    await Promise.all(Array.from({ length: 5 }, () => act(made, 'redeliver')));
    await expectOneCredit(made);
    expect(await unprocessed()).toEqual([]);
  });

  it('is paid twice: the second payment is suspended', async () => {
    const made = await credited();
    expect(await act(made, pay)).toBe(409);
    const { chargeAmountMinor, chargeCurrency, mode } = await topupRow(made.id);
    const before = await suspense(chargeCurrency);
    await settleTopup(systemActor('Tests', 'webhook'), made.id, {
      about: 'payment',
      outcome: 'paid',
      providerReference: made.reference,
      paymentReference: `second-${made.id}`,
      topupId: made.id,
      mode,
      amountMinor: chargeAmountMinor,
      currency: chargeCurrency,
    });
    await expectOneCredit(made);
    expect((await suspense(chargeCurrency)) - before).toBe(chargeAmountMinor);
    expect((await topupRow(made.id)).reason).toContain('Paid a second time');
  });

  it('is forged: rejected and not stored', async () => {
    const made = await open();
    const before = await db().select().from(webhookEvents);
    await sandbox.control(provider, { signature: 'forged' });
    await act(made, pay);
    await deliver(made);
    expect(await balance(made)).toBe(0);
    expect(await db().select().from(webhookEvents)).toHaveLength(before.length);
    expect((await topupRow(made.id)).status).toBe('pending');
  });

  itInTurn('is replayed after ten minutes: at most one credit', async () => {
    const made = await credited();
    await sandbox.control(provider, { signature: 'old' });
    await act(made, 'redeliver');
    await expectOneCredit(made);
  });

  it.each([
    ['a smaller amount', { alterAmount: 1 }, 'Paid 0.01 '],
    ['another currency', { alterCurrency: 'eur' }, ' EUR instead of '],
  ])('is notified with %s: suspended for review', async (_, changes, reason) => {
    const made = await open();
    // The API response is authoritative, not the event.
    await sandbox.control(provider, { ...changes, alterApi: true });
    await act(made, pay);
    await deliver(made);
    expect(await balance(made)).toBe(0);
    const topup = await topupRow(made.id);
    expect(topup).toMatchObject({ status: 'review', reason: expect.stringContaining(reason) });
    expect(await audit(made.id)).toEqual(['topup.created', 'topup.review']);
  });

  it('expires, and is credited when it is paid after all', async () => {
    const made = await open();
    await db()
      .update(topups)
      .set({ expiresAt: sql`now() - interval '1 second'`, nextCheckAt: sql`now()` })
      .where(eq(topups.id, made.id));
    await reconcileTopups();
    expect((await topupRow(made.id)).status).toBe('expired');
    if (provider === 'paypal') await act(made, 'expire');
    expect(await act(made, ...late)).toBe(200);
    await deliver(made);
    await expectOneCredit(made);
    expect(await topupRow(made.id)).toMatchObject({ status: 'paid', reason: 'Paid although it was expired.' });
  });

  itInTurn('is cancelled by its buyer: nothing is pending', async () => {
    const made = await open();
    expect((await cancelTopup(made.buyer, made.id)).status).toBe('cancelled');
    expect((await listWalletTransactions(made.buyer.userId, { limit: 10 })).total).toBe(0);
    expect((await cancelTopup(made.buyer, made.id)).status).toBe('cancelled');
  });

  itInTurn('is paid and then cancelled in another tab: credited', async () => {
    const made = await paid();
    expect((await cancelTopup(made.buyer, made.id)).status).toBe('paid');
    await expectOneCredit(made);
  });

  it.each([true, false])('is pending, and then succeeds: %s', async (comes) => {
    const made = await open();
    await act(made, ...payLater);
    expect((await back(made)).status).toBe('pending');
    await deliver(made);
    expect(await balance(made)).toBe(0);
    expect(await act(made, comes ? 'complete-async' : 'fail-async')).toBe(200);
    await deliver(made, 'reversed');
    if ((await topupRow(made.id)).status === 'pending') await back(made);
    expect((await topupRow(made.id)).status).toBe(comes ? 'paid' : 'failed');
    if (comes) await expectOneCredit(made);
    else expect(await balance(made)).toBe(0);
  });

  it('is refunded in parts: each once, in any order, to the cent', async () => {
    const made = await credited();
    const { chargeAmountMinor } = await topupRow(made.id);
    const part = Math.round(chargeAmountMinor / 3);
    await sandbox.control(provider, { duplicate: 1 });
    await act(made, 'refund', { amount: part });
    await deliver(made);
    const third = amountCents - (await balance(made));
    expect(Math.abs(third - amountCents / 3)).toBeLessThan(1);
    expect((await topupRow(made.id)).status).toBe('paid');
    await act(made, 'refund', { amount: part });
    await act(made, 'refund');
    await deliver(made, 'reversed');
    await act(made, 'redeliver');
    expect(await balance(made)).toBe(0);
    expect((await topupRow(made.id)).status).toBe('refunded');
    const { rows } = await listWalletTransactions(made.buyer.userId, { limit: 10 });
    expect(rows.filter(({ type, note }) => type === 'debit' && note.startsWith('Refunded by '))).toHaveLength(3);
    expect((await audit(made.id)).filter((action) => action === 'topup.refunded')).toHaveLength(3);
    expect(await unprocessed()).toEqual([]);
  });

  itInTurn('is refunded after the money was spent: a receivable, paid by the next top-up', async () => {
    const made = await credited();
    await spendMoney(made.buyer, 9_000);
    await act(made, 'refund');
    await deliver(made);
    expect(await balance(made)).toBe(0);
    expect(await getOwedCents(made.buyer.userId)).toBe(9_000);
    const next = await sandbox.open(provider, amountCents, made.buyer);
    await sandbox.act(provider, next.reference, pay);
    await settleReturn(next.buyer, { topupId: next.id, reference: null });
    expect(await getOwedCents(made.buyer.userId)).toBe(0);
    expect(await balance(made)).toBe(1_000);
  });

  it.each(hasDisputes ? [true, false] : [])('is disputed, and the dispute is won: %s', async (isWon) => {
    const made = await credited();
    await act(made, 'dispute');
    await deliver(made);
    expect((await topupRow(made.id)).status).toBe('disputed');
    await act(made, isWon ? 'dispute-won' : 'dispute-lost');
    await deliver(made, 'reversed');
    await act(made, 'redeliver');
    expect(await balance(made)).toBe(isWon ? amountCents : 0);
    expect((await topupRow(made.id)).status).toBe(isWon ? 'paid' : 'disputed');
    expect(await audit(made.id)).toContain('topup.disputed');
    expect(await unprocessed()).toEqual([]);
  });

  it.each(outages)('is %s when a top-up starts: returns an error and stores the reason', async (api) => {
    await sandbox.control(provider, { api });
    const buyer = { ...(await makeUser()), ip: someAddress() };
    const input = { provider, amountCents, returnUrl: '/user/wallet' };
    await expect(createTopup(buyer, input)).rejects.toMatchObject({ code: 'provider_failed', status: 502 });
    const [topup] = await db().select().from(topups).where(eq(topups.accountId, buyer.userId));
    expect(topup).toMatchObject({ status: 'failed', reason: expect.any(String) });
    expect(await audit(topup?.id ?? '')).toEqual(['topup.created', 'topup.failed']);
  });

  it.each(outages)('is %s when the buyer returns: credited later', async (api) => {
    const made = await paid();
    await sandbox.control(provider, { api });
    await expect(back(made)).rejects.toMatchObject({ code: 'provider_failed' });
    expect(await balance(made)).toBe(0);
    await sandbox.control(provider, { api: 'normal' });
    await db().update(topups).set({ nextCheckAt: sql`now()` }).where(eq(topups.id, made.id));
    await Promise.all([reconcileTopups(), reconcileTopups(), reconcileTopups()]);
    await expectOneCredit(made);
  });

  itInTurn('loses its response after success: credited once', async () => {
    const made = await paid();
    await sandbox.control(provider, { api: 'lost' });
    await expect(back(made)).rejects.toMatchObject({ code: 'provider_failed' });
    await sandbox.control(provider, { api: 'normal' });
    await deliver(made);
    await back(made);
    await expectOneCredit(made);
  });

  itInTurn('is paid although the process ended before storing the response: credited', async () => {
    const made = await open();
    const keepsReference = provider === 'wechat';
    await db()
      .update(topups)
      .set({ status: 'created', checkoutUrl: null, ...(!keepsReference && { providerReference: null }) })
      .where(eq(topups.id, made.id));
    await act(made, pay);
    await deliver(made);
    await expectOneCredit(made);
    expect((await topupRow(made.id)).providerReference).toBe(made.reference);
  });

  itInTurn('never credits another user', async () => {
    const made = await paid();
    const other = await makeUser();
    const input = { topupId: made.id, reference: made.reference };
    await expect(settleReturn(other, input)).rejects.toMatchObject({ code: 'not_found' });
    await expect(cancelTopup(other, made.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await getWalletBalance(other.userId)).toBe(0);
  });
});

describe('only at PayPal', () => {
  it('a declined payment method redirects to PayPal, and the next approval is collected', async () => {
    const made = await sandbox.open('paypal', amountCents);
    await sandbox.act('paypal', made.reference, 'fail');
    const returned = await settleReturn(made.buyer, { topupId: made.id, reference: null });
    expect(returned).toMatchObject({ status: 'pending', payerActionUrl: expect.stringMatching(/^http/) });
    await sandbox.act('paypal', made.reference, 'approve');
    expect((await settleReturn(made.buyer, { topupId: made.id, reference: null })).status).toBe('paid');
    expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents);
  });

  it('an order that another buyer approved is not collected for an intent without one', async () => {
    const theirs = await sandbox.open('paypal', amountCents);
    await sandbox.act('paypal', theirs.reference, 'approve');
    const mine = await sandbox.open('paypal', amountCents);
    await db().update(topups).set({ providerReference: null, status: 'created' }).where(eq(topups.id, mine.id));
    const before = await sandbox.look('paypal', theirs.reference);
    const view = await settleReturn(mine.buyer, { topupId: mine.id, reference: theirs.reference });
    expect(view.status).toBe('created');
    expect(await sandbox.look('paypal', theirs.reference)).toEqual(before);
    await settleReturn(theirs.buyer, { topupId: theirs.id, reference: null });
    expect(await getWalletBalance(theirs.buyer.userId)).toBe(amountCents);
    expect(await getWalletBalance(mine.buyer.userId)).toBe(0);
  });

  it('rejects a notification for another webhook of the account', async () => {
    const made = await sandbox.open('paypal', amountCents);
    await sandbox.control('paypal', { alterLivemode: true });
    await sandbox.act('paypal', made.reference, 'approve');
    await sandbox.act('paypal', made.reference, 'deliver');
    expect((await topupRow(made.id)).status).toBe('pending');
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
  });

  it('an expired approval ends the top-up', async () => {
    const made = await sandbox.open('paypal', amountCents);
    await sandbox.act('paypal', made.reference, 'approve');
    await sandbox.act('paypal', made.reference, 'reverse-approval');
    await sandbox.act('paypal', made.reference, 'deliver');
    expect((await topupRow(made.id)).status).toMatch(/^(cancelled|expired)$/);
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
  });

  it('a reversed capture debits the money', async () => {
    const made = await sandbox.open('paypal', amountCents);
    await sandbox.act('paypal', made.reference, 'approve');
    await settleReturn(made.buyer, { topupId: made.id, reference: null });
    await sandbox.act('paypal', made.reference, 'reverse');
    await sandbox.act('paypal', made.reference, 'deliver', { order: 'reversed' });
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
    expect((await topupRow(made.id)).status).toBe('disputed');
  });
});

describe('only at WeChat Pay', () => {
  it('charges CNY at the quoted rate, rounded up, and credits the requested amount', async () => {
    const made = await sandbox.open('wechat', amountCents);
    const topup = await topupRow(made.id);
    expect(topup).toMatchObject({ chargeCurrency: 'CNY', rateMicros: cnyMicros, currency: 'USD', amountCents });
    expect(topup.chargeAmountMinor).toBe(Math.ceil((amountCents * 1_000_000) / cnyMicros));
    expect(topup.checkoutUrl).toBe(`http://localhost:3000/user/wallet/wechat/${made.id}`);
    expect(topup.payCode).toMatch(/^weixin:\/\//);
    // A later rate changes nothing.
    await db().insert(exchangeRates).values({ id: newId(), currency: 'CNY', usdMicrosPerUnit: 200_000 });
    await sandbox.act('wechat', made.reference, 'pay');
    await sandbox.act('wechat', made.reference, 'deliver');
    expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents);
    await db().insert(exchangeRates).values({ id: newId(), currency: 'CNY', usdMicrosPerUnit: cnyMicros });
  });

  it("redirects a phone to WeChat Pay's page, and back to the app", async () => {
    const buyer = { ...(await makeUser()), ip: someAddress() };
    const input = { provider: 'wechat' as const, amountCents, returnUrl: '/user/wallet', isMobile: true };
    const { id, url } = await createTopup(buyer, input);
    expect(new URL(url).searchParams.get('redirect_url')).toBe(
      `http://localhost:3000/user/wallet?success=1&topup=${id}`,
    );
    expect((await topupRow(id)).payCode).toBeNull();
  });

  it('is not offered without an exchange rate', async () => {
    await db().delete(exchangeRates).where(eq(exchangeRates.currency, 'CNY'));
    const buyer = { ...(await makeUser()), ip: someAddress() };
    await expect(
      createTopup(buyer, { provider: 'wechat', amountCents, returnUrl: '/user/wallet' }),
    ).rejects.toMatchObject({
      code: 'not_configured',
      message: expect.stringContaining('CNY'),
    });
    expect(await db().select().from(topups).where(eq(topups.accountId, buyer.userId))).toEqual([]);
    await db().insert(exchangeRates).values({ id: newId(), currency: 'CNY', usdMicrosPerUnit: cnyMicros });
  });

  it('accepts signatures by the public key and by the platform certificate', async () => {
    await sandbox.control('wechat', { signedBy: 'certificate' });
    const made = await sandbox.open('wechat', amountCents);
    await sandbox.act('wechat', made.reference, 'pay');
    await sandbox.act('wechat', made.reference, 'deliver');
    expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents);
  });

  it('a refund that the bank rejected stays debited until the merchant sends it again', async () => {
    const made = await sandbox.open('wechat', amountCents);
    await sandbox.act('wechat', made.reference, 'pay');
    await sandbox.act('wechat', made.reference, 'refund');
    await sandbox.act('wechat', made.reference, 'deliver');
    await sandbox.act('wechat', made.reference, 'refund-fail');
    await sandbox.act('wechat', made.reference, 'deliver');
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
    expect((await topupRow(made.id)).status).toBe('refunded');
  });

  it('is read in its own mode, even with unusable keys in the other mode', async () => {
    const made = await sandbox.open('wechat', amountCents);
    const entered = await findPaymentConfig('wechat', 'test');
    if (!entered) throw new Error('WeChat Pay is not set up in this test.');
    const broken = { ...entered, mode: 'live', fields: { ...entered.fields, public_key: 'no key' } } as const;
    await savePaymentConfig(systemActor('Tests', 'script'), broken);
    // The usable mode is stored last and therefore tried last.
    await savePaymentConfig(systemActor('Tests', 'script'), entered);
    await sandbox.act('wechat', made.reference, 'pay');
    await sandbox.act('wechat', made.reference, 'deliver');
    await db()
      .delete(paymentConfigs)
      .where(and(eq(paymentConfigs.provider, 'wechat'), eq(paymentConfigs.mode, 'live')));
    expect((await topupRow(made.id)).status).toBe('paid');
    expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents);
  });

  it('a notification for another merchant credits nothing and is kept for an admin', async () => {
    const made = await sandbox.open('wechat', amountCents);
    await sandbox.control('wechat', { alterLivemode: true });
    await sandbox.act('wechat', made.reference, 'pay');
    await sandbox.act('wechat', made.reference, 'deliver');
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
    expect((await topupRow(made.id)).status).toBe('pending');
  });
});
