import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { topups, webhookEvents } from '@/db/schema/topups';
import { getWalletBalance } from '@/lib/ledger/balance';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { findPaymentIssues } from '@/lib/payments/top-ups/payment-issues';
import { reconcileTopups } from '@/lib/payments/top-ups/reconcile';
import { inventedIssue } from '@/tests/setup/conformance/paypal';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { type Opened, topupRow, withProviders } from '@/tests/setup/payment-providers';

const sandbox = withProviders();
keepSoundBooks();

const amountCents = 10_000;
const open = () => sandbox.open('paypal', amountCents);
const act = ({ reference }: Opened, action: string, fields = {}) => sandbox.act('paypal', reference, action, fields);
const back = ({ buyer, id }: Opened) => settleReturn(buyer, { topupId: id, reference: null });
const balance = ({ buyer }: Opened) => getWalletBalance(buyer.userId);
const deliver = (made: Opened, order = 'as_made') => act(made, 'deliver', { order });
const summary = z.object({ refused_captures: z.number() });
const refusedCaptures = async ({ reference }: Opened) =>
  summary.parse(await sandbox.look('paypal', reference)).refused_captures;
const audit = async ({ id }: Opened) =>
  (await db().select().from(auditLogs).where(eq(auditLogs.entityId, id)).orderBy(auditLogs.id)).map(
    (row) => row.action,
  );

/** Makes the job check it now. @param isOver whether its payment period has ended */
async function reconcile({ id }: Opened, isOver = false): Promise<void> {
  await db()
    .update(topups)
    .set({ nextCheckAt: sql`now()`, ...(isOver && { expiresAt: sql`now() - interval '1 second'` }) })
    .where(and(eq(topups.id, id), sql`status in ('created', 'pending')`));
  await reconcileTopups();
}

async function credited(): Promise<Opened> {
  const made = await open();
  await act(made, 'approve');
  await back(made);
  await deliver(made);
  expect(await balance(made)).toBe(amountCents);
  return made;
}

const payerIssues = ['INSTRUMENT_DECLINED', 'PAYER_ACTION_REQUIRED', 'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING'];

describe('a capture that requires the payer', () => {
  it.each(payerIssues)('%s redirects to PayPal, where the same top-up is paid', async (issue) => {
    const made = await open();
    await act(made, 'approve', { issue });
    const returned = await back(made);
    expect(returned).toMatchObject({ status: 'pending', refusal: 'payer_action' });
    expect(returned.payerActionUrl).toMatch(new RegExp(`/checkoutnow\\?token=${made.reference}$`));
    await act(made, 'approve');
    expect((await back(made)).status).toBe('paid');
    await deliver(made);
    expect(await balance(made)).toBe(amountCents);
    expect((await audit(made)).filter((action) => action === 'topup.paid')).toHaveLength(1);
  });

  it('redirects although the webhook event collected it first', async () => {
    const made = await open();
    await act(made, 'approve', { issue: 'INSTRUMENT_DECLINED' });
    await deliver(made);
    expect(await refusedCaptures(made)).toBe(1);
    expect(await back(made)).toMatchObject({
      status: 'pending',
      payerActionUrl: expect.stringContaining('checkoutnow'),
    });
    expect((await findPaymentIssues('paypal', 'sandbox')).topups.newest.map(({ id }) => id)).not.toContain(made.id);
  });

  it('is collected by the job only after its period, and once', async () => {
    const made = await open();
    await act(made, 'approve', { issue: 'INSTRUMENT_DECLINED', keepsApproval: true });
    await back(made);
    const { nextCheckAt, expiresAt } = await topupRow(made.id);
    expect(nextCheckAt).toEqual(expiresAt);
    await reconcileTopups();
    expect(await refusedCaptures(made)).toBe(1);
    await reconcile(made, true);
    expect(await refusedCaptures(made)).toBe(2);
    expect((await topupRow(made.id)).status).toBe('expired');
    expect(await balance(made)).toBe(0);
  });
});

describe('a capture that PayPal refuses permanently', () => {
  it.each(['TRANSACTION_REFUSED', 'PAYER_CANNOT_PAY', 'PAYER_ACCOUNT_RESTRICTED', 'COMPLIANCE_VIOLATION'])(
    '%s fails the top-up, and nothing collects it again',
    async (issue) => {
      const made = await open();
      // Another capture would be completed.
      await act(made, 'approve', { issue, times: 1 });
      expect(await back(made)).toMatchObject({ status: 'failed', refusal: 'final' });
      await Promise.all([back(made), deliver(made), reconcile(made)]);
      expect((await back(made)).status).toBe('failed');
      expect(await balance(made)).toBe(0);
      expect(await topupRow(made.id)).toMatchObject({ status: 'failed', reason: expect.stringContaining(issue) });
      expect(await audit(made)).toEqual(['topup.created', 'topup.failed']);
      expect(await sandbox.look('paypal', made.reference)).toMatchObject({ status: 'APPROVED' });
    },
  );

  it.each(['PAYEE_ACCOUNT_RESTRICTED', 'PERMISSION_DENIED', 'AUTH_CAPTURE_NOT_ENABLED'])(
    '%s fails it too, and is shown to the admins',
    async (issue) => {
      const made = await open();
      await act(made, 'approve', { issue });
      expect(await back(made)).toMatchObject({ status: 'failed', refusal: 'merchant_action' });
      const { newest } = (await findPaymentIssues('paypal', 'sandbox')).topups;
      expect(newest.find(({ id }) => id === made.id)?.why).toContain(issue);
    },
  );
});

it.each(['ORDER_COMPLETION_IN_PROGRESS', inventedIssue])('retries a capture refused with %s', async (issue) => {
  const made = await open();
  await act(made, 'approve', { issue, times: 2 });
  expect(await back(made)).toMatchObject({ status: 'pending', refusal: 'temporary' });
  await reconcile(made);
  expect(await topupRow(made.id)).toMatchObject({ status: 'pending', reason: expect.stringContaining(issue) });
  await reconcile(made);
  expect(await topupRow(made.id)).toMatchObject({ status: 'paid', reason: null });
  expect(await balance(made)).toBe(amountCents);
});

describe('a refund', () => {
  it.each(['as_made', 'reversed'])('debits the money once it is completed, notified %s', async (order) => {
    const made = await credited();
    await act(made, 'refund', { amount: 4_000, status: 'PENDING' });
    await deliver(made);
    expect(await balance(made)).toBe(amountCents);
    await act(made, 'refund-complete');
    await deliver(made, order);
    await act(made, 'redeliver');
    expect(await balance(made)).toBe(6_000);
  });

  it.each(['refund-fail', 'refund-cancel'])('moves no money while pending with %s', async (decision) => {
    const made = await credited();
    await act(made, 'refund', { status: 'PENDING' });
    await act(made, decision);
    await deliver(made, 'reversed');
    await act(made, 'redeliver');
    expect(await balance(made)).toBe(amountCents);
    expect((await topupRow(made.id)).status).toBe('paid');
  });
});

describe('a capture', () => {
  it.each(['up_link', 'custom_id'])('without supplementary data is found by its %s', async (captureNames) => {
    await sandbox.control('paypal', { captureNames });
    const made = await open();
    await act(made, 'approve', { capture: 'pending' });
    await back(made);
    await act(made, 'complete-async');
    await deliver(made);
    expect(await balance(made)).toBe(amountCents);
    expect(await topupRow(made.id)).toMatchObject({ status: 'paid', providerReference: made.reference });
  });

  it.each([
    ['jpy', '1000 JPY'],
    ['huf', '1000 HUF'],
    ['twd', '1000 TWD'],
    ['eur', '10.00 EUR'],
  ])('in %s is suspended with %s', async (alterCurrency, words) => {
    const made = await open();
    await sandbox.control('paypal', { alterAmount: 1_000, alterCurrency, alterApi: true });
    await act(made, 'approve');
    await deliver(made);
    expect(await balance(made)).toBe(0);
    expect(await topupRow(made.id)).toMatchObject({
      status: 'review',
      reason: `Paid ${words} instead of 100.00 USD.`,
    });
  });
});

describe('a dispute', () => {
  it('with the outcome NONE is open', async () => {
    const made = await credited();
    await act(made, 'dispute');
    await act(made, 'reverse');
    await act(made, 'dispute-review');
    await deliver(made, 'reversed');
    expect(await balance(made)).toBe(0);
    expect(await topupRow(made.id)).toMatchObject({
      status: 'disputed',
      reason: expect.stringContaining('still open'),
    });
    await act(made, 'dispute-won');
    await deliver(made);
    expect(await balance(made)).toBe(amountCents);
  });

  it.each([
    ['RESOLVED_WITH_PAYOUT', 'dispute-won', amountCents],
    ['CANCELED_BY_BUYER', 'dispute-won', amountCents],
    ['DENIED', 'dispute-won', amountCents],
    ['ACCEPTED', 'dispute-lost', 0],
  ])('ends with %s', async (outcome, action, cents) => {
    const made = await credited();
    await act(made, 'dispute');
    await act(made, 'reverse');
    await act(made, action, { outcome });
    await deliver(made);
    expect(await balance(made)).toBe(cents);
    const open = await db().select().from(webhookEvents).where(sql`processed_at is null`);
    expect(open).toEqual([]);
  });
});
