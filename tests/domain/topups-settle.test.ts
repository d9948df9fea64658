import { eq } from 'drizzle-orm';
import postgres from 'postgres';
import type Stripe from 'stripe';
import { afterEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { transfers } from '@/db/schema/ledger';
import { paymentConfigs } from '@/db/schema/payment-configs';
import { settings } from '@/db/schema/settings';
import { topups, webhookEvents } from '@/db/schema/topups';
import { systemActor } from '@/lib/access/actor';
import { getWalletBalance } from '@/lib/ledger/balance';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { reverseTopup } from '@/lib/payments/reversals/reverse';
import { cancelTopup, settleReturn } from '@/lib/payments/top-ups/checkout';
import { reconcileTopups } from '@/lib/payments/top-ups/reconcile';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { acceptPayment, listSuspendedPayments } from '@/lib/payments/top-ups/suspended-payments';
import { setFlag } from '@/lib/settings/feature-flags';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeUser } from '@/tests/factories/make-user';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { configureStripe, deliver, returnOf, storedEvent, topupOf, withSandbox } from '@/tests/setup/stripe-sandbox';

const sandbox = withSandbox();
keepSoundBooks();

const completed = 'checkout.session.completed';
const actionsOf = async (topupId: string) =>
  (await db().select().from(auditLogs).where(eq(auditLogs.entityId, topupId)).orderBy(auditLogs.id)).map(
    (entry) => entry.action,
  );
const suspenseCents = async (currency: string) =>
  (await verifyBooks()).totals.find((total) => total.kind === 'suspense' && total.currency === currency)
    ?.balanceCents ?? 0;

/** A paid Stripe top-up that the app does not know of yet. */
async function paidTopup(amountCents = 10_000) {
  const made = await sandbox.openTopup(amountCents);
  await sandbox.decide(made.sessionId, 'pay');
  return made;
}

describe('a session of another shop with the same account', () => {
  it.each(['setup', 'subscription'] as const)('for a %s is only acknowledged', async (mode) => {
    const { buyer, sessionId } = await paidTopup();
    const sessionFields = { mode, amount_total: null, currency: null, payment_intent: null, metadata: {} };
    const event = await sandbox.event(sessionId, completed, { ...sessionFields, client_reference_id: null });
    await deliver(event);
    expect((await storedEvent(event.id)).processedAt).not.toBeNull();
    expect(await getWalletBalance(buyer.userId)).toBe(0);
  });
});

describe('a top-up started before an admin disabled its provider', () => {
  afterEach(() => db().delete(settings));

  it.each<[string, (made: Awaited<ReturnType<typeof paidTopup>>) => Promise<unknown>]>([
    ['the notification', async ({ sessionId }) => deliver(await sandbox.event(sessionId, completed))],
    ['the buyer’s return', ({ buyer, id, sessionId }) => settleReturn(buyer, returnOf(id, sessionId))],
    [
      'the reconciliation job',
      async ({ id }) => {
        await db()
          .update(topups)
          .set({ nextCheckAt: new Date(0) })
          .where(eq(topups.id, id));
        await reconcileTopups();
      },
    ],
  ])('is credited by %s', async (_, settle) => {
    const made = await paidTopup();
    await setFlag(await makeUser('Admin'), { name: 'topup-stripe', isOn: false, version: 0 });
    await expect(sandbox.openTopup()).rejects.toMatchObject({ code: 'not_configured' });
    await settle(made);
    expect((await topupOf(made.id)).status).toBe('paid');
    expect(await getWalletBalance(made.buyer.userId)).toBe(10_000);
  });
});

describe('credits a payment once', () => {
  it('for 64 concurrent deliveries of the same webhook', async () => {
    const { buyer, id, sessionId } = await paidTopup();
    const event = await sandbox.event(sessionId, completed);
    await Promise.all(Array.from({ length: 64 }, () => deliver(event)));
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    expect((await topupOf(id)).status).toBe('paid');
    expect(await actionsOf(id)).toEqual(['topup.created', 'topup.paid']);
    expect((await storedEvent(event.id)).processedAt).not.toBeNull();
    const { rows, total } = await listWalletTransactions(buyer.userId, { limit: 10 });
    expect(total).toBe(1);
    expect(rows).toMatchObject([
      { type: 'credit', amountCents: 10_000, status: 'Completed', method: 'Stripe', topupId: id, mode: 'test' },
    ]);
  });

  it('for two concurrent events about it', async () => {
    const { buyer, sessionId } = await paidTopup();
    const events = [
      await sandbox.event(sessionId, completed),
      await sandbox.event(sessionId, 'checkout.session.async_payment_succeeded'),
    ];
    await Promise.all([...events, ...events].map((event) => deliver(event)));
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
  });

  it('for the webhook before, during and after the return', async () => {
    for (const order of ['before', 'during', 'after']) {
      const { buyer, id, sessionId } = await paidTopup(2_500);
      const event = await sandbox.event(sessionId, completed);
      const back = () => settleReturn(buyer, returnOf(id));
      if (order === 'before') await deliver(event);
      await Promise.all([back(), back(), order === 'during' ? deliver(event) : undefined]);
      if (order === 'after') await deliver(event);
      expect((await back()).status).toBe('paid');
      expect(await getWalletBalance(buyer.userId)).toBe(2_500);
      expect(await actionsOf(id)).toEqual(['topup.created', 'topup.paid']);
    }
  });

  it('for the return without any webhook', async () => {
    const { buyer, id } = await paidTopup();
    expect(await settleReturn(buyer, returnOf(id))).toEqual({
      id,
      status: 'paid',
      amountCents: 10_000,
      currency: 'USD',
    });
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
  });

  it('for duplicate and reordered deliveries of the gateway', async () => {
    const { buyer, sessionId } = await sandbox.openTopup();
    await sandbox.control('/controls/stripe', { duplicate: 3 });
    await sandbox.decide(sessionId, 'pay-later');
    await sandbox.decide(sessionId, 'complete-async');
    await sandbox.decide(sessionId, 'deliver', { order: 'reversed' });
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    expect((await db().select().from(webhookEvents)).filter((event) => event.processedAt === null)).toEqual([]);
  });

  it("after the process ended between Stripe's response and the commit", async () => {
    const { buyer, id, sessionId } = await paidTopup();
    await db()
      .update(topups)
      .set({ status: 'created', providerReference: null, checkoutUrl: null })
      .where(eq(topups.id, id));
    await deliver(await sandbox.event(sessionId, completed));
    expect(await topupOf(id)).toMatchObject({ status: 'paid', providerReference: sessionId });
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
  });
});

describe('credits nothing', () => {
  it('while the payment is pending, and once after it succeeds', async () => {
    const { buyer, id, sessionId } = await sandbox.openTopup();
    await sandbox.decide(sessionId, 'pay-later');
    await deliver(await sandbox.event(sessionId, completed));
    expect((await settleReturn(buyer, returnOf(id))).status).toBe('pending');
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    const { rows } = await listWalletTransactions(buyer.userId, { limit: 10 });
    expect(rows).toMatchObject([{ id, type: 'credit', status: 'Pending', method: 'Stripe', amountCents: 10_000 }]);
    await sandbox.decide(sessionId, 'complete-async');
    await deliver(await sandbox.event(sessionId, 'checkout.session.async_payment_succeeded'));
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
  });

  it('when the pending payment fails, by webhook or by request', async () => {
    for (const byWebhook of [true, false]) {
      const { buyer, id, sessionId } = await sandbox.openTopup();
      await sandbox.decide(sessionId, 'pay-later');
      await sandbox.decide(sessionId, 'fail-async');
      if (byWebhook) await deliver(await sandbox.event(sessionId, 'checkout.session.async_payment_failed'));
      else await settleReturn(buyer, returnOf(id));
      expect((await topupOf(id)).status).toBe('failed');
      expect(await getWalletBalance(buyer.userId)).toBe(0);
      expect((await listWalletTransactions(buyer.userId, { limit: 10 })).total).toBe(0);
    }
  });

  it('for a buyer who only opened the return URL', async () => {
    const { buyer, id, sessionId } = await sandbox.openTopup();
    expect((await settleReturn(buyer, returnOf(id, sessionId))).status).toBe('pending');
    expect(await getWalletBalance(buyer.userId)).toBe(0);
  });

  it("for another user's top-up", async () => {
    const { id, sessionId } = await paidTopup();
    const other = await makeUser();
    await expect(settleReturn(other, returnOf(id, sessionId))).rejects.toMatchObject({ code: 'not_found' });
    await expect(cancelTopup(other, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await getWalletBalance(other.userId)).toBe(0);
    expect((await topupOf(id)).status).toBe('pending');
  });

  it('by the session of another top-up, even if its own was never stored', async () => {
    const paid = await paidTopup();
    const mine = await sandbox.openTopup(500_000);
    await db().update(topups).set({ providerReference: null, status: 'created' }).where(eq(topups.id, mine.id));
    await settleReturn(mine.buyer, returnOf(mine.id, paid.sessionId));
    expect(await getWalletBalance(mine.buyer.userId)).toBe(0);
    expect((await topupOf(mine.id)).status).toBe('created');
    // The money is still assigned to its top-up.
    await deliver(await sandbox.event(paid.sessionId, completed));
    expect(await getWalletBalance(paid.buyer.userId)).toBe(10_000);
  });

  it('by a session without a reference, when its own was never stored', async () => {
    const { buyer, id, sessionId } = await sandbox.openTopup();
    await db().update(topups).set({ providerReference: null, status: 'created' }).where(eq(topups.id, id));
    const settled = await settleTopup(systemActor('Tests', 'job'), id, {
      about: 'payment',
      outcome: 'paid',
      providerReference: sessionId,
      paymentReference: `pi_unknown_${id}`,
      topupId: null,
      mode: 'test',
      amountMinor: 10_000,
      currency: 'USD',
    });
    expect(settled).toMatchObject({ status: 'created', paymentReference: null });
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await listSuspendedPayments(id)).toEqual([]);
  });

  it('for a payment without a top-up, which is reported once', async () => {
    const event = await sandbox.event(await sandbox.foreignSession(), completed);
    await Promise.all([deliver(event), deliver(event), deliver(event)]);
    const stored = await storedEvent(event.id);
    expect(stored).toMatchObject({ error: 'No top-up matches it.', processedAt: expect.any(Date) });
    expect(await actionsOf(stored.id)).toEqual(['topup.unknown']);
  });
});

describe('a payment that differs from the top-up', () => {
  const cases: [string, Partial<Stripe.Checkout.Session>, string][] = [
    ['a smaller amount', { amount_total: 1 }, 'Paid 0.01 USD instead of 100.00 USD.'],
    ['a larger amount', { amount_total: 99_999 }, 'Paid 999.99 USD instead of'],
    ['another currency', { currency: 'eur' }, 'Paid 100.00 EUR instead of'],
  ];
  it.each(cases)('in %s goes to suspense and review, and does not change the wallet', async (_, changes, reason) => {
    const { buyer, id, sessionId } = await paidTopup();
    await fundWallet(buyer.userId, 777);
    const currency = (changes.currency ?? 'usd').toUpperCase();
    const before = await suspenseCents(currency);
    await Promise.all([sandbox.settle(sessionId, changes), sandbox.settle(sessionId, changes)]);
    expect(await getWalletBalance(buyer.userId)).toBe(777);
    const topup = await topupOf(id);
    expect(topup.status).toBe('review');
    expect(topup.reason).toContain(reason);
    expect((await suspenseCents(currency)) - before).toBe(changes.amount_total ?? 10_000);
    expect(await actionsOf(id)).toEqual(['topup.created', 'topup.review']);
  });

  const others: [string, Partial<Stripe.Checkout.Session>, string][] = [
    ['mode', { livemode: true }, 'Paid in live mode instead of test mode'],
    ['checkout', { id: 'cs_test_other' }, 'belongs to another checkout'],
  ];
  it.each(others)(
    'in another %s goes to suspense, and the top-up still waits for its own',
    async (_, changes, reason) => {
      const { buyer, id, sessionId } = await paidTopup();
      const before = await topupOf(id);
      const suspended = await suspenseCents('USD');
      const other = { ...changes, payment_intent: `pi_other_${id}` };
      await Promise.all([sandbox.settle(sessionId, other), sandbox.settle(sessionId, other)]);
      expect(await topupOf(id)).toEqual(before);
      expect((await suspenseCents('USD')) - suspended).toBe(10_000);
      expect(await actionsOf(id)).toEqual(['topup.created', 'topup.review']);
      const apart = { reason: expect.stringContaining(reason), refusal: expect.stringMatching(/another|other than/) };
      expect(await listSuspendedPayments(id)).toMatchObject([apart]);
      await expect(acceptPayment(await makeUser('Admin'), id)).rejects.toMatchObject({ code: 'conflict' });

      await db()
        .update(topups)
        .set({ nextCheckAt: new Date(0) })
        .where(eq(topups.id, id));
      await reconcileTopups();
      expect((await topupOf(id)).status).toBe('paid');
      expect(await getWalletBalance(buyer.userId)).toBe(10_000);
      await sandbox.settle(sessionId, other);
      expect(await topupOf(id)).toMatchObject({ status: 'paid', reason: null });
      expect(await listSuspendedPayments(id)).toMatchObject([apart]);
    },
  );

  it('and is disputed does not prevent the correct payment', async () => {
    const { buyer, id, sessionId } = await paidTopup();
    const wrong = `pi_wrong_${id}`;
    await sandbox.settle(sessionId, { amount_total: 1, payment_intent: wrong });
    await reverseTopup(systemActor('Tests', 'webhook'), id, {
      about: 'reversal',
      kind: 'dispute',
      reference: `dp_${id}`,
      paymentReference: wrong,
      topupId: id,
      mode: 'test',
      amountMinor: 1,
      currency: 'USD',
      money: 'taken',
      outcome: null,
    });
    expect((await topupOf(id)).status).toBe('disputed');
    await deliver(await sandbox.event(sessionId, completed));
    expect((await topupOf(id)).status).toBe('paid');
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
  });

  it('does not reverse the credit of a correct payment', async () => {
    const { buyer, id, sessionId } = await paidTopup();
    await deliver(await sandbox.event(sessionId, completed));
    await sandbox.settle(sessionId, { amount_total: 1 });
    expect(await topupOf(id)).toMatchObject({ status: 'paid', reason: null });
    await sandbox.settle(sessionId, { amount_total: 500, payment_intent: 'pi_second' });
    expect((await topupOf(id)).status).toBe('paid');
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    const posted = await db().select().from(transfers).where(eq(transfers.key, 'stripe:pi_second'));
    expect(posted).toMatchObject([{ kind: 'suspense', amountCents: 500 }]);
  });
});

describe('a late success', () => {
  it.each(['expire', 'cancel'])('after %s is credited once and flagged', async (ending) => {
    const { buyer, id, sessionId } = await sandbox.openTopup();
    if (ending === 'cancel') await cancelTopup(buyer, id);
    else await sandbox.decide(sessionId, 'expire');
    const expired = await sandbox.event(sessionId, 'checkout.session.expired');
    await deliver(expired);
    const status = ending === 'cancel' ? 'cancelled' : 'expired';
    expect((await topupOf(id)).status).toBe(status);
    await sandbox.decide(sessionId, 'pay', { force: true });
    const paid = await sandbox.event(sessionId, completed);
    await Promise.all([deliver(paid), deliver(paid), deliver({ ...expired, id: 'evt_expired_again' })]);
    expect(await topupOf(id)).toMatchObject({ status: 'paid', reason: `Paid although it was ${status}.` });
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    await db().delete(webhookEvents).where(eq(webhookEvents.eventId, 'evt_expired_again'));
  });

  it('is not undone by an expiry notified after the payment', async () => {
    const { id, sessionId } = await paidTopup();
    await deliver(await sandbox.event(sessionId, completed));
    await deliver(
      await sandbox.event(sessionId, 'checkout.session.expired', { status: 'expired', payment_status: 'unpaid' }),
    );
    expect((await topupOf(id)).status).toBe('paid');
  });
});

describe('expiry', () => {
  it('closes the checkout, so that it cannot be paid any more', async () => {
    const { buyer, id, sessionId } = await sandbox.openTopup();
    expect((await cancelTopup(buyer, id)).status).toBe('cancelled');
    expect((await cancelTopup(buyer, id)).status).toBe('cancelled');
    expect((await sandbox.session(sessionId)).status).toBe('expired');
    expect((await listWalletTransactions(buyer.userId, { limit: 10 })).total).toBe(0);
  });

  it('credits a checkout that was paid after all', async () => {
    const { buyer, id } = await paidTopup();
    expect((await cancelTopup(buyer, id)).status).toBe('paid');
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
  });
});

describe('the webhook', () => {
  it('rejects a signature that is wrong, without a secret or ten minutes old, and stores nothing', async () => {
    const { buyer, sessionId } = await paidTopup();
    const event = await sandbox.event(sessionId, completed);
    const tenMinutesAgo = Math.floor(Date.now() / 1000) - 600;
    for (const signing of [{ secret: 'whsec_forged' }, { timestamp: tenMinutesAgo }]) {
      await expect(deliver(event, signing)).rejects.toMatchObject({ code: 'invalid_input', status: 400 });
    }
    expect(await db().select().from(webhookEvents).where(eq(webhookEvents.eventId, event.id))).toEqual([]);
    expect(await getWalletBalance(buyer.userId)).toBe(0);
  });

  it('returns 503 while Stripe is not configured', async () => {
    await db().update(paymentConfigs).set({ secrets: {} });
    await expect(deliver({ id: 'evt_1' })).rejects.toMatchObject({ code: 'not_configured', status: 503 });
    await configureStripe();
  });

  it('stores and acknowledges an event type without an action', async () => {
    const event = { id: 'evt_other', type: 'customer.created', livemode: false, data: { object: { id: 'cus_1' } } };
    await deliver(event);
    expect(await storedEvent('evt_other')).toMatchObject({ type: 'customer.created', processedAt: expect.any(Date) });
  });

  it('stores an event that it cannot parse, and fails so that Stripe retries', async () => {
    const event = { id: 'evt_odd', type: completed, livemode: false, data: { object: { id: 'cs_1' } } };
    await expect(deliver(event)).rejects.toThrow('evt_odd');
    expect(await storedEvent('evt_odd')).toMatchObject({ processedAt: null, error: expect.stringContaining('Stripe') });
  });

  it('processes an event again that the ledger rejected the first time', async () => {
    const { buyer, id, sessionId } = await paidTopup();
    const event = await sandbox.event(sessionId, completed);
    const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
    await owner`alter function ledger.post_transfer rename to post_transfer_gone`;
    await expect(deliver(event)).rejects.toThrow(event.id);
    expect(await storedEvent(event.id)).toMatchObject({ processedAt: null, error: expect.any(String) });
    expect((await topupOf(id)).status).toBe('pending');
    await owner`alter function ledger.post_transfer_gone rename to post_transfer`;
    await owner.end();
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    await deliver(event);
    expect(await storedEvent(event.id)).toMatchObject({ processedAt: expect.any(Date), error: null });
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
  });
});
