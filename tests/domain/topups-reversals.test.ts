import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { paymentReversals, webhookEvents } from '@/db/schema/topups';
import { systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import { verifyBooks } from '@/lib/ledger/verify-books';
import type { ReversalEvidence } from '@/lib/payments/providers/provider';
import { reverseTopup } from '@/lib/payments/reversals/reverse';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { spendMoney } from '@/tests/factories/spend-money';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { deliver, returnOf, topupOf, withSandbox } from '@/tests/setup/stripe-sandbox';

const sandbox = withSandbox();
keepSoundBooks();
afterEach(async () => {
  const failed = (await db().select().from(webhookEvents)).filter((event) => event.processedAt === null);
  expect(failed).toEqual([]);
});

const actionsOf = async (entityId: string) =>
  (await db().select().from(auditLogs).where(eq(auditLogs.entityId, entityId)).orderBy(auditLogs.id)).map(
    ({ action }) => action,
  );
const notesOf = async (userId: string) =>
  (await listWalletTransactions(userId, { limit: 20 })).rows.map(({ type, amountCents, note }) => ({
    type,
    amountCents,
    note,
  }));
const clearingCents = async () =>
  (await verifyBooks()).totals.find(({ kind, currency }) => kind === 'clearing' && currency === 'USD')?.balanceCents ??
  0;

/** A credited top-up of $100.00. */
async function creditedTopup() {
  const made = await sandbox.openTopup(10_000);
  await sandbox.decide(made.sessionId, 'pay');
  await settleReturn(made.buyer, returnOf(made.id));
  // The payment is settled, with or without its notifications.
  await sandbox.decide(made.sessionId, 'deliver');
  return made;
}

describe('a dispute', () => {
  it('with a corrected amount debits and shows the final amount', async () => {
    const { buyer, id } = await creditedTopup();
    const { paymentReference } = await topupOf(id);
    const dispute: ReversalEvidence = {
      about: 'reversal',
      kind: 'dispute',
      reference: `dp_${id}`,
      paymentReference: paymentReference ?? '',
      topupId: id,
      mode: 'test',
      amountMinor: 2_000,
      currency: 'USD',
      money: 'kept',
      outcome: null,
    };
    const job = systemActor('Tests', 'webhook');
    await reverseTopup(job, id, dispute);
    await reverseTopup(job, id, { ...dispute, amountMinor: 10_000, money: 'taken' });
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect((await topupOf(id)).reason).toBe('$100.00 of $100.00 disputed at Stripe and still open.');
    const [row] = await db().select().from(paymentReversals).where(eq(paymentReversals.topupId, id));
    expect(row).toMatchObject({ amountMinor: 10_000, amountCents: 10_000 });
    await reverseTopup(job, id, { ...dispute, money: 'returned', outcome: 'won', amountMinor: 10_000 });
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
  });
});

describe('a refund at Stripe', () => {
  it('in two parts debits each part once, shows the reasons, and ends the top-up as refunded', async () => {
    const { buyer, id, sessionId } = await creditedTopup();
    const before = await clearingCents();
    await sandbox.decide(sessionId, 'refund', { amount: 3_000 });
    await sandbox.decide(sessionId, 'deliver');
    expect(await getWalletBalance(buyer.userId)).toBe(7_000);
    expect(await topupOf(id)).toMatchObject({ status: 'paid', reason: '$30.00 of $100.00 refunded by Stripe.' });

    await sandbox.decide(sessionId, 'refund');
    await sandbox.decide(sessionId, 'deliver');
    await sandbox.decide(sessionId, 'redeliver');
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await topupOf(id)).toMatchObject({ status: 'refunded', reason: '$100.00 of $100.00 refunded by Stripe.' });
    expect((await clearingCents()) - before).toBe(10_000);
    expect(await notesOf(buyer.userId)).toEqual([
      { type: 'debit', amountCents: 7_000, note: 'Refunded by Stripe: $70.00 of a top-up of $100.00' },
      { type: 'debit', amountCents: 3_000, note: 'Refunded by Stripe: $30.00 of a top-up of $100.00' },
      { type: 'credit', amountCents: 10_000, note: 'Wallet top-up by Stripe' },
    ]);
    expect(await actionsOf(id)).toEqual(['topup.created', 'topup.paid', 'topup.refunded', 'topup.refunded']);
  });

  it('counts once for reordered, duplicate and concurrent notifications', async () => {
    const { buyer, sessionId } = await creditedTopup();
    await sandbox.control('/controls/stripe', { duplicate: 2 });
    await sandbox.decide(sessionId, 'refund', { amount: 1_000 });
    await sandbox.decide(sessionId, 'refund', { amount: 2_000 });
    await sandbox.decide(sessionId, 'deliver', { order: 'reversed' });
    await Promise.all([1, 2, 3].map(() => sandbox.decide(sessionId, 'redeliver')));
    expect(await getWalletBalance(buyer.userId)).toBe(7_000);
  });

  it('notified before the payment credits the payment first', async () => {
    const { buyer, id, sessionId } = await sandbox.openTopup(10_000);
    await sandbox.decide(sessionId, 'pay');
    await sandbox.decide(sessionId, 'refund', { amount: 4_000 });
    await sandbox.decide(sessionId, 'deliver', { order: 'reversed' });
    expect(await getWalletBalance(buyer.userId)).toBe(6_000);
    expect((await topupOf(id)).status).toBe('paid');
  });

  it.each(['as_made', 'reversed'])(
    'that fails returns the money, notified %s, and a second one debits it again',
    async (order) => {
      const { buyer, id, sessionId } = await creditedTopup();
      await sandbox.decide(sessionId, 'refund', { amount: 3_000 });
      await sandbox.decide(sessionId, 'refund-fail');
      await sandbox.decide(sessionId, 'deliver', { order });
      expect(await getWalletBalance(buyer.userId)).toBe(10_000);
      expect(await topupOf(id)).toMatchObject({ status: 'paid', reason: null });
      // The charge's refunded sum is the same as after the first refund.
      await sandbox.decide(sessionId, 'refund', { amount: 3_000 });
      await sandbox.decide(sessionId, 'deliver');
      expect(await getWalletBalance(buyer.userId)).toBe(7_000);
    },
  );

  it.each(['as_made', 'reversed'])('that is canceled returns the money, notified %s', async (order) => {
    const { buyer, id, sessionId } = await creditedTopup();
    await sandbox.decide(sessionId, 'refund', { amount: 3_000 });
    await sandbox.decide(sessionId, 'deliver');
    expect(await getWalletBalance(buyer.userId)).toBe(7_000);
    await sandbox.decide(sessionId, 'refund-cancel');
    await sandbox.decide(sessionId, 'deliver', { order });
    await sandbox.decide(sessionId, 'redeliver');
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    expect(await topupOf(id)).toMatchObject({ status: 'paid', reason: null });
  });

  it.each(['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'])(
    'without a charge (%s) is acknowledged and moves nothing',
    async (type) => {
      const { buyer } = await creditedTopup();
      const object = { id: `re_${newId()}`, object: 'refund', amount: 3_000, currency: 'usd', status: 'succeeded' };
      await deliver({ id: `evt_${newId()}`, type, livemode: false, data: { object: { ...object, charge: null } } });
      expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    },
  );

  it.each([
    { first: 10_000, spent: 0 },
    { first: 3_000, spent: 0 },
    { first: 3_000, spent: 6_000 },
  ])('in full, notified before the failure of $first, leaves nothing in the wallet', async ({ first, spent }) => {
    const { buyer, id, sessionId } = await creditedTopup();
    const before = await clearingCents();
    if (spent > 0) await spendMoney(buyer, spent);
    await sandbox.decide(sessionId, 'refund', { amount: first });
    await sandbox.decide(sessionId, 'deliver');
    await sandbox.decide(sessionId, 'refund-fail');
    await sandbox.decide(sessionId, 'refund');
    await sandbox.decide(sessionId, 'deliver', { order: 'reversed' });
    await sandbox.decide(sessionId, 'redeliver');
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await getOwedCents(buyer.userId)).toBe(spent);
    expect((await clearingCents()) - before).toBe(10_000);
    expect((await topupOf(id)).status).toBe('refunded');
    const rows = await db().select().from(paymentReversals).where(eq(paymentReversals.topupId, id));
    expect(rows.map(({ money, amountCents, excessMinor }) => [money, amountCents, excessMinor]).sort()).toEqual([
      ['returned', first, 0],
      ['taken', 10_000, 0],
    ]);
  });

  it('of spent money becomes a receivable, which the next top-up pays first', async () => {
    const { buyer, id, sessionId } = await creditedTopup();
    await spendMoney(buyer, 8_500);
    await sandbox.decide(sessionId, 'refund');
    await sandbox.decide(sessionId, 'deliver');
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await getOwedCents(buyer.userId)).toBe(8_500);
    expect((await topupOf(id)).status).toBe('refunded');
    expect(await actionsOf(buyer.userId)).toEqual(['wallet.owes']);

    const next = await sandbox.openTopup(10_000, buyer);
    await sandbox.decide(next.sessionId, 'pay');
    await settleReturn(buyer, returnOf(next.id));
    expect(await getOwedCents(buyer.userId)).toBe(0);
    expect(await getWalletBalance(buyer.userId)).toBe(1_500);
    expect((await notesOf(buyer.userId))[0]).toEqual({
      type: 'debit',
      amountCents: 8_500,
      note: 'Payment of a debt from a refunded or disputed payment',
    });
  });

  it('of a suspended payment is taken from suspense', async () => {
    const { buyer, id, sessionId } = await sandbox.openTopup(10_000);
    await sandbox.decide(sessionId, 'pay');
    await sandbox.settle(sessionId, { currency: 'eur' });
    expect((await topupOf(id)).status).toBe('review');
    await sandbox.decide(sessionId, 'refund');
    await sandbox.decide(sessionId, 'deliver');
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await getOwedCents(buyer.userId)).toBe(0);
    const [reversal] = await db().select().from(paymentReversals).where(eq(paymentReversals.topupId, id));
    expect(reversal).toMatchObject({ amountCents: 0, excessMinor: 10_000, money: 'taken' });
  });
});

describe('a second payment of the same top-up', () => {
  const refundOf = (topupId: string, paymentReference: string, amountMinor: number): ReversalEvidence => ({
    about: 'reversal',
    kind: 'refund',
    reference: `re_${newId()}`,
    paymentReference,
    topupId,
    mode: 'test',
    amountMinor,
    currency: 'USD',
    money: 'taken',
    outcome: null,
  });
  const actor = systemActor('Tests', 'webhook');

  it('is refunded without affecting the first and its refunds', async () => {
    const { buyer, id, sessionId } = await creditedTopup();
    await sandbox.settle(sessionId, { payment_intent: `pi_2_${id}` });
    const { paymentReference } = await topupOf(id);
    await reverseTopup(actor, id, refundOf(id, `pi_2_${id}`, 10_000));
    expect((await topupOf(id)).status).toBe('paid');
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);

    await reverseTopup(actor, id, refundOf(id, paymentReference ?? '', 3_000));
    expect(await getWalletBalance(buyer.userId)).toBe(7_000);
    expect(await topupOf(id)).toMatchObject({ status: 'paid', reason: '$30.00 of $100.00 refunded by Stripe.' });
    await reverseTopup(actor, id, refundOf(id, paymentReference ?? '', 7_000));
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect((await topupOf(id)).status).toBe('refunded');
    const rows = await db().select().from(paymentReversals).where(eq(paymentReversals.topupId, id));
    expect(rows.map(({ amountCents, excessMinor }) => [amountCents, excessMinor]).sort()).toEqual([
      [0, 10_000],
      [3_000, 0],
      [7_000, 0],
    ]);
  });

  it('is refunded after the first, and debits nothing more', async () => {
    const { buyer, id, sessionId } = await creditedTopup();
    await sandbox.settle(sessionId, { payment_intent: `pi_2_${id}` });
    const { paymentReference } = await topupOf(id);
    await reverseTopup(actor, id, refundOf(id, paymentReference ?? '', 3_000));
    await reverseTopup(actor, id, refundOf(id, `pi_2_${id}`, 10_000));
    expect(await getWalletBalance(buyer.userId)).toBe(7_000);
    expect((await topupOf(id)).status).toBe('paid');
  });
});

describe('a dispute at Stripe', () => {
  it('that is won debits the money and returns it', async () => {
    const { buyer, id, sessionId } = await creditedTopup();
    await sandbox.decide(sessionId, 'dispute');
    await sandbox.decide(sessionId, 'deliver');
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await topupOf(id)).toMatchObject({
      status: 'disputed',
      reason: '$100.00 of $100.00 disputed at Stripe and still open.',
    });
    await sandbox.decide(sessionId, 'dispute-won');
    await sandbox.decide(sessionId, 'deliver');
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    expect(await topupOf(id)).toMatchObject({ status: 'paid', reason: null });
    expect((await notesOf(buyer.userId)).map(({ note }) => note)).toEqual([
      'Dispute at Stripe was won',
      'Disputed at Stripe: $100.00 of a top-up of $100.00',
      'Wallet top-up by Stripe',
    ]);
  });

  it('that is won before its first notification moves nothing', async () => {
    const { buyer, id, sessionId } = await creditedTopup();
    await sandbox.decide(sessionId, 'dispute');
    await sandbox.decide(sessionId, 'dispute-won');
    await sandbox.decide(sessionId, 'deliver', { order: 'reversed' });
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    expect((await topupOf(id)).status).toBe('paid');
  });

  it('that is lost after the money was spent leaves a receivable and an empty wallet', async () => {
    const { buyer, id, sessionId } = await creditedTopup();
    await spendMoney(buyer, 10_000);
    await sandbox.decide(sessionId, 'dispute');
    await sandbox.decide(sessionId, 'dispute-lost');
    await sandbox.decide(sessionId, 'deliver', { order: 'reversed' });
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await getOwedCents(buyer.userId)).toBe(10_000);
    expect(await topupOf(id)).toMatchObject({
      status: 'disputed',
      reason: '$100.00 of $100.00 disputed at Stripe and lost.',
    });
  });

  it('that is won after the money was spent cancels the receivable', async () => {
    const { buyer, sessionId } = await creditedTopup();
    await spendMoney(buyer, 6_000);
    await sandbox.decide(sessionId, 'dispute');
    await sandbox.decide(sessionId, 'deliver');
    expect(await getOwedCents(buyer.userId)).toBe(6_000);
    await sandbox.decide(sessionId, 'dispute-won');
    await sandbox.decide(sessionId, 'deliver');
    expect(await getOwedCents(buyer.userId)).toBe(0);
    expect(await getWalletBalance(buyer.userId)).toBe(4_000);
  });

  it('concurrent with orders never overdraws; the rest becomes a receivable', async () => {
    const { buyer, sessionId } = await creditedTopup();
    await sandbox.decide(sessionId, 'dispute');
    const orders = Array.from({ length: 8 }, () =>
      spendMoney(buyer, 2_500).then(
        () => 2_500,
        () => 0,
      ),
    );
    const [spent] = await Promise.all([Promise.all(orders), sandbox.decide(sessionId, 'deliver')]);
    const total = spent.reduce((sum, cents) => sum + cents, 0);
    expect((await getWalletBalance(buyer.userId)) + total).toBe(await getOwedCents(buyer.userId));
  });
});
