import { eq } from 'drizzle-orm';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { paymentReversals, webhookEvents } from '@/db/schema/topups';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import { createPayPalCall, type PayPalCall } from '@/lib/payments/providers/paypal/client';
import { retrievePayPalEvidence } from '@/lib/payments/providers/paypal/events';
import { confirmReturn, listWithheld } from '@/lib/payments/reversals/return-disputed';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { type Opened, topupRow, withProviders } from '@/tests/setup/payment-providers';

// PayPal reports the money withheld for a dispute (PAYMENT.CAPTURE.REVERSED) under an id other than the dispute's, and
// does not report the money it returns.
const sandbox = withProviders();
keepSoundBooks();
afterEach(async () => {
  expect((await db().select().from(webhookEvents)).filter(({ processedAt }) => processedAt === null)).toEqual([]);
});

const act = ({ reference }: Opened, action: string, fields = {}) => sandbox.act('paypal', reference, action, fields);
const withheldOf = async ({ buyer }: Opened) => (await listWithheld()).filter(({ user }) => user.id === buyer.userId);
const balance = ({ buyer }: Opened) => getWalletBalance(buyer.userId);

/** PayPal with the tests' account, which returns the given response for one object. */
function payPalWith(object: { path: string; answer: unknown }): PayPalCall {
  const credentials = { clientId: 'client-of-the-tests', clientSecret: 'secret-of-the-tests' };
  const call = createPayPalCall({ baseUrl: process.env.PAYPAL_BASE_URL ?? '', ...credentials });
  return async (request) =>
    'path' in request && String(request.path).startsWith(object.path) ? object.answer : call(request);
}

async function credited(): Promise<Opened> {
  const made = await sandbox.open('paypal', 10_000);
  await act(made, 'approve');
  await settleReturn(made.buyer, { topupId: made.id, reference: null });
  await act(made, 'deliver');
  return made;
}

/** The buyer opens a dispute, and PayPal withholds the money until its decision. */
async function withdrawn(made: Opened): Promise<void> {
  expect(await act(made, 'dispute')).toBe(200);
  expect(await act(made, 'reverse')).toBe(200);
}

it.each(['as_made', 'reversed'])('money withheld for a won dispute is returned, notified %s', async (order) => {
  const made = await credited();
  await withdrawn(made);
  if (order === 'as_made') {
    await act(made, 'deliver');
    expect(await balance(made)).toBe(0);
    expect((await topupRow(made.id)).status).toBe('disputed');
  }
  await act(made, 'dispute-won');
  await act(made, 'deliver', { order });
  await act(made, 'redeliver');
  expect(await balance(made)).toBe(10_000);
  expect(await topupRow(made.id)).toMatchObject({ status: 'paid', reason: null });
  expect(await withheldOf(made)).toEqual([]);
  const { rows } = await listWalletTransactions(made.buyer.userId, { limit: 10 });
  expect(rows.map(({ note }) => note)).toEqual([
    'Dispute at PayPal was won',
    'Disputed at PayPal: $100.00 of a top-up of $100.00',
    'Wallet top-up by PayPal',
  ]);
});

it('is returned once for concurrent and duplicate notifications', async () => {
  const made = await credited();
  await sandbox.control('paypal', { duplicate: 2 });
  await withdrawn(made);
  await act(made, 'dispute-won');
  await Promise.all([1, 2, 3, 4].map(() => act(made, 'redeliver')));
  expect(await balance(made)).toBe(10_000);
  expect((await topupRow(made.id)).status).toBe('paid');
  await act(made, 'deliver');
});

it('money withheld for a lost dispute is not returned', async () => {
  const made = await credited();
  await withdrawn(made);
  await act(made, 'dispute-lost');
  await act(made, 'deliver', { order: 'reversed' });
  expect(await balance(made)).toBe(0);
  expect(await topupRow(made.id)).toMatchObject({
    status: 'disputed',
    reason: '$100.00 of $100.00 disputed at PayPal and lost.',
  });
  expect(await withheldOf(made)).toEqual([]);
});

it('returned money is not returned again after a later withholding', async () => {
  const made = await credited();
  await withdrawn(made);
  await act(made, 'dispute-won');
  await act(made, 'deliver');
  expect(await balance(made)).toBe(10_000);
  expect(await act(made, 'reverse')).toBe(200);
  await act(made, 'deliver');
  await act(made, 'redeliver');
  expect(await sandbox.look('paypal', made.reference)).toMatchObject({ amount_refunded: 10_000 });
  expect(await balance(made)).toBe(0);
  expect((await topupRow(made.id)).status).toBe('disputed');
});

it('returns the reported part, and shows the rest to an admin', async () => {
  const made = await credited();
  await withdrawn(made);
  await act(made, 'deliver');
  await act(made, 'dispute-won', { amount: 4_000 });
  await act(made, 'deliver');
  await act(made, 'redeliver');
  expect(await sandbox.look('paypal', made.reference)).toMatchObject({ amount_refunded: 6_000 });
  expect(await balance(made)).toBe(4_000);
  expect(await topupRow(made.id)).toMatchObject({
    status: 'disputed',
    reason: '$60.00 of $100.00 disputed at PayPal and won.',
  });
  const [rest, ...others] = await withheldOf(made);
  expect(rest).toMatchObject({ amountMinor: 6_000, user: { id: made.buyer.userId } });
  expect(others).toEqual([]);
  await confirmReturn(await makeUser('Admin'), rest?.reversalId ?? '');
  expect(await balance(made)).toBe(10_000);
  expect((await topupRow(made.id)).status).toBe('paid');
});

it('money withheld after a won dispute is not listed as withheld and cannot be confirmed', async () => {
  const made = await credited();
  await act(made, 'dispute');
  await act(made, 'dispute-won');
  await act(made, 'deliver');
  // PayPal's times have seconds: the inquiry ended a day before the chargeback.
  await db()
    .update(paymentReversals)
    .set({ happenedAt: new Date(Date.now() - 86_400_000) })
    .where(eq(paymentReversals.topupId, made.id));
  await act(made, 'reverse');
  await act(made, 'deliver');
  expect(await balance(made)).toBe(0);
  expect(await withheldOf(made)).toEqual([]);
  const rows = await db().select().from(paymentReversals).where(eq(paymentReversals.topupId, made.id));
  const taken = rows.find(({ money }) => money === 'taken');
  const admin = await makeUser('Admin');
  await expect(confirmReturn(admin, taken?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
  expect(await balance(made)).toBe(0);
});

it.each(['refund', 'reverse'])('finds the top-up of a %s by its capture', async (action) => {
  const made = await credited();
  const refund = await resourceOf(made, action);
  const nameless = JSON.parse(refund, (key, value: unknown) => (key === 'custom_id' ? undefined : value));
  const call = payPalWith({ path: '/v2/payments/refunds/', answer: nameless });
  const evidence = await retrievePayPalEvidence({ object: 'refund', id: nameless.id }, 'sandbox', call);
  expect(evidence).toMatchObject([{ topupId: made.id, money: 'taken', amountMinor: 10_000 }]);
});

it('ignores a dispute of a payment that PayPal does not find', async () => {
  const dispute = await resourceOf(await credited(), 'dispute');
  const foreign = JSON.parse(dispute, (key, value: unknown) =>
    key === 'custom' ? undefined : key === 'seller_transaction_id' ? 'ANOTHER-SHOPS' : value,
  );
  const call = payPalWith({ path: '/v1/customer/disputes/', answer: foreign });
  const evidence = await retrievePayPalEvidence({ object: 'dispute', id: foreign.dispute_id }, 'sandbox', call);
  expect(evidence).toMatchObject([{ topupId: null, paymentReference: 'ANOTHER-SHOPS' }]);
});

/** The object of the event that an action causes, which PayPal's API returns too. */
async function resourceOf(made: Opened, action: string): Promise<string> {
  const raws: Buffer[] = [];
  sandbox.takeBy(async (_provider, { raw }) => {
    raws.push(raw);
  });
  await act(made, action);
  await act(made, 'deliver');
  const { resource } = z.object({ resource: z.unknown() }).parse(JSON.parse(raws[0]?.toString('utf8') ?? ''));
  return JSON.stringify(resource);
}

it('with a refund, returns only what the dispute withheld', async () => {
  const made = await credited();
  expect(await act(made, 'refund', { amount: 2_500 })).toBe(200);
  await withdrawn(made);
  await act(made, 'deliver');
  expect(await balance(made)).toBe(0);
  await act(made, 'dispute-won');
  await act(made, 'deliver');
  expect(await balance(made)).toBe(7_500);
  expect(await topupRow(made.id)).toMatchObject({ status: 'paid', reason: '$25.00 of $100.00 refunded by PayPal.' });
});

it('money spent meanwhile becomes a receivable, which is cancelled again', async () => {
  const made = await credited();
  await spendMoney(made.buyer, 6_000);
  await withdrawn(made);
  await act(made, 'deliver');
  expect(await getOwedCents(made.buyer.userId)).toBe(6_000);
  await act(made, 'dispute-won');
  await act(made, 'deliver');
  expect(await getOwedCents(made.buyer.userId)).toBe(0);
  expect(await balance(made)).toBe(4_000);
});

it('retries the notification when PayPal does not return the outcome', async () => {
  const made = await credited();
  await withdrawn(made);
  await act(made, 'deliver');
  await act(made, 'dispute-won');
  await sandbox.control('paypal', { api: 'down' });
  await act(made, 'deliver');
  expect(await balance(made)).toBe(0);
  await sandbox.control('paypal', { api: 'normal' });
  await act(made, 'deliver');
  await act(made, 'redeliver');
  expect(await balance(made)).toBe(10_000);
});

it('an admin confirms once what PayPal does not report as returned', async () => {
  const made = await credited();
  await act(made, 'refund', { amount: 1_000 });
  await withdrawn(made);
  await act(made, 'deliver');
  const [taken] = (await db().select().from(paymentReversals).where(eq(paymentReversals.topupId, made.id))).filter(
    ({ kind, money }) => kind === 'dispute' && money === 'taken',
  );
  // As when the account may not read disputes: the outcome is known, but not the amount.
  await db()
    .update(paymentReversals)
    .set({ outcome: 'won' })
    .where(eq(paymentReversals.id, taken?.id ?? ''));
  expect(await withheldOf(made)).toMatchObject([
    { reversalId: taken?.id, amountMinor: 9_000, currency: 'USD', user: { id: made.buyer.userId } },
  ]);
  const admin = await makeUser('Admin');
  await confirmReturn(admin, taken?.id ?? '');
  await expect(confirmReturn(admin, taken?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
  expect(await balance(made)).toBe(9_000);
  expect(await withheldOf(made)).toEqual([]);
  const audited = await db().select().from(auditLogs).where(eq(auditLogs.entityId, made.id)).orderBy(auditLogs.id);
  expect(audited.at(-1)).toMatchObject({ action: 'topup.disputed', userId: admin.userId });
});
