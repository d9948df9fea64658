import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { paymentConfigs } from '@/db/schema/payment-configs';
import { type PaymentProviderName, type ProviderMode, paymentProviders, topups } from '@/db/schema/topups';
import { type Actor, systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { savePaymentConfig } from '@/lib/payments/config/config';
import { providerNames } from '@/lib/payments/providers/names';
import { openProvider } from '@/lib/payments/providers/open-provider';
import { cancelTopup, settleReturn } from '@/lib/payments/top-ups/checkout';
import { createTopup } from '@/lib/payments/top-ups/create';
import { reconcileTopups } from '@/lib/payments/top-ups/reconcile';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { acceptPayment, listSuspendedPayments } from '@/lib/payments/top-ups/suspended-payments';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { type Opened, someAddress, topupRow, withProviders } from '@/tests/setup/payment-providers';

const sandbox = withProviders();
beforeEach(() => sandbox.reconfigure());
afterEach(async () => {
  await expectSoundBooks();
  await db().delete(paymentConfigs).where(eq(paymentConfigs.mode, 'live'));
});

const actor = systemActor('Tests', 'script');
const liveConfigs: Record<PaymentProviderName, Omit<Parameters<typeof savePaymentConfig>[1], 'mode'>> = {
  stripe: { provider: 'stripe', secrets: { secret_key: 'sk_live_other', webhook_secret: 'whsec_live_other' } },
  paypal: {
    provider: 'paypal',
    fields: { client_id: 'live-client', webhook_id: 'WH-LIVE' },
    secrets: { client_secret: 'live-secret' },
  },
  wechat: { provider: 'wechat', fields: { mchid: '1900000110' } },
};
const goLive = (provider: PaymentProviderName) => savePaymentConfig(actor, { ...liveConfigs[provider], mode: 'live' });

/** Every source that can report a payment reports it. */
async function notifyEverywhere({ provider, reference, id, buyer }: Opened): Promise<void> {
  await sandbox.act(provider, reference, 'deliver');
  await settleReturn(buyer, { topupId: id, reference: null });
  await db().update(topups).set({ nextCheckAt: sql`now()` }).where(eq(topups.id, id));
  await reconcileTopups();
  await sandbox.act(provider, reference, 'deliver');
  await sandbox.act(provider, reference, 'redeliver');
}

describe.each(paymentProviders)('%s', (provider) => {
  const pay = (made: Opened) => sandbox.act(provider, made.reference, provider === 'paypal' ? 'approve' : 'pay');
  const testMode = provider === 'paypal' ? 'sandbox' : 'test';
  const name = providerNames[provider];

  it('a checkout in test mode credits nothing once the provider is live, from any source', async () => {
    const made = await sandbox.open(provider, 5_000);
    await goLive(provider);
    await pay(made);
    await notifyEverywhere(made);
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
    if (provider === 'paypal') {
      // The app collects PayPal payments, so an uncredited one stays with the buyer.
      await cancelTopup(made.buyer, made.id);
      expect((await topupRow(made.id)).status).toBe('pending');
      expect(await sandbox.look(provider, made.reference)).toMatchObject({ state: { label: 'Approved' } });
      expect(await listSuspendedPayments(made.id)).toEqual([]);
      return;
    }
    expect(await topupRow(made.id)).toMatchObject({
      status: 'review',
      reason: `Paid in ${testMode} mode while ${name} is set to live mode.`,
    });
    expect(await listSuspendedPayments(made.id)).toMatchObject([{ refusal: expect.stringContaining('test money') }]);
    await expect(acceptPayment(await makeUser('Admin'), made.id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('a checkout paid before the switch and reported after it credits nothing', async () => {
    const made = await sandbox.open(provider, 5_000);
    await pay(made);
    // Collected at PayPal by a process that was killed before storing it.
    if (provider === 'paypal') await (await openProvider(provider)).retrieveCheckout(made.reference);
    await goLive(provider);
    await notifyEverywhere(made);
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
    expect((await topupRow(made.id)).status).toBe('review');
    // Back in test mode, nothing is credited automatically: an admin decides.
    await sandbox.reconfigure();
    await notifyEverywhere(made);
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
  });

  it('a credit of the test mode stays booked once', async () => {
    const made = await sandbox.open(provider, 5_000);
    await pay(made);
    await settleReturn(made.buyer, { topupId: made.id, reference: null });
    await goLive(provider);
    await notifyEverywhere(made);
    expect(await getWalletBalance(made.buyer.userId)).toBe(5_000);
    expect((await topupRow(made.id)).status).toBe('paid');
  });

  it('a live intent is not credited by a test payment', async () => {
    const made = await sandbox.open(provider, 5_000);
    await db().update(topups).set({ mode: 'live' }).where(eq(topups.id, made.id));
    await pay(made);
    if (provider === 'paypal') await settleTopup(actor, made.id, await evidence(made, testMode));
    else await sandbox.act(provider, made.reference, 'deliver');
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
    // It still waits for its own payment.
    expect((await topupRow(made.id)).status).toBe('pending');
    const refusal = expect.stringContaining('provider mode other than');
    expect(await listSuspendedPayments(made.id)).toMatchObject([{ refusal }]);
  });

  it('a live payment while the provider is in test mode waits for an admin', async () => {
    const made = await sandbox.open(provider, 5_000);
    await db().update(topups).set({ mode: 'live' }).where(eq(topups.id, made.id));
    await settleTopup(actor, made.id, await evidence(made, 'live'));
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
    expect(await topupRow(made.id)).toMatchObject({
      status: 'review',
      reason: `Paid in live mode while ${name} is set to ${testMode} mode.`,
    });
    const [apart] = await listSuspendedPayments(made.id);
    // WeChat Pay charges CNY at the quoted rate, and the quoted amount is credited.
    expect(apart?.creditCents).toBe(5_000);
    expect(apart?.refusal).toBeNull();
    await acceptPayment(await makeUser('Admin'), made.id);
    expect(await getWalletBalance(made.buyer.userId)).toBe(5_000);
    expect(await listSuspendedPayments(made.id)).toEqual([]);
    await settleTopup(actor, made.id, await evidence(made, 'live'));
    expect(await getWalletBalance(made.buyer.userId)).toBe(5_000);
  });
});

describe('two calls with one Idempotency-Key, and an admin who switches to live between them', () => {
  const begin = async (provider: PaymentProviderName) => {
    const input = { provider, amountCents: 5_000, returnUrl: '/user/wallet' };
    return { input, buyer: { ...(await makeUser()), ip: someAddress() }, key: newId() };
  };
  /** An intent whose process was killed before the provider's response was stored. */
  const unanswered = { status: 'created', providerReference: null, checkoutUrl: null } as const;
  const onlyTopup = (buyer: Actor) => db().select().from(topups).where(eq(topups.accountId, buyer.userId));

  it.each(paymentProviders)("create one checkout of %s in the first call's mode", async (provider) => {
    const { input, buyer, key } = await begin(provider);
    const first = await createTopup(buyer, input, key);
    const before = await topupRow(first.id);
    await goLive(provider);
    expect(await createTopup(buyer, input, key)).toEqual(first);
    await db().update(topups).set(unanswered).where(eq(topups.id, first.id));
    expect(await createTopup(buyer, input, key)).toEqual(first);
    const { mode, providerReference } = before;
    expect(await onlyTopup(buyer)).toMatchObject([{ mode, providerReference, status: 'pending' }]);
    expect(await sandbox.onlyReference()).toBe(providerReference);
  });

  // WeChat Pay has no live keys here.
  it.each(['stripe', 'paypal'] as const)(
    'create one checkout of %s when the first intent is stored after the second call looked for it',
    async (provider) => {
      const { input, buyer, key } = await begin(provider);
      const first = await createTopup(buyer, input, newId());
      await goLive(provider);
      const second = await db().transaction(async (tx) => {
        // The second call found no intent and opened the live provider before it takes the lock.
        await tx.execute(sql`lock table ${rateLimits} in exclusive mode`);
        const calling = createTopup(buyer, input, key);
        const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        await expect.poll(() => db().execute(waits)).toHaveLength(1);
        await db()
          .update(topups)
          .set({ ...unanswered, idempotencyKey: key })
          .where(eq(topups.id, first.id));
        return { calling };
      });
      expect(await second.calling).toEqual(first);
      expect(await onlyTopup(buyer)).toMatchObject([{ id: first.id, status: 'pending' }]);
      expect((await topupRow(first.id)).mode).not.toBe('live');
    },
  );
});

async function evidence({ id, reference }: Opened, mode: ProviderMode) {
  const { chargeAmountMinor: amountMinor, chargeCurrency: currency } = await topupRow(id);
  const paid = { outcome: 'paid', paymentReference: `payment-${id}` } as const;
  return { about: 'payment', providerReference: reference, topupId: id, mode, amountMinor, currency, ...paid } as const;
}
