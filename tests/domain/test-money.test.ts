import { eq, like } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { transfers } from '@/db/schema/ledger';
import { paymentConfigs, paymentModes } from '@/db/schema/payment-configs';
import { type PaymentProviderName, paymentProviders } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import { type Actor, systemActor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { getWalletBalance } from '@/lib/ledger/balance';
import { getNotifications } from '@/lib/notifications/notifications';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { updateProviderConfig } from '@/lib/payments/config/update-config';
import { listOfferedProviders } from '@/lib/payments/providers/open-provider';
import type { ReversalEvidence } from '@/lib/payments/providers/provider';
import { reverseTopup } from '@/lib/payments/reversals/reverse';
import { listTestCredits } from '@/lib/payments/reversals/reverse-test-credits';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { type Opened, someAddress, topupRow, withProviders } from '@/tests/setup/payment-providers';
import { testInTurn } from '@/tests/setup/test-in-turn';

const sandbox = withProviders();
let admin: Actor;

beforeEach(async () => {
  admin = await makeUser('Admin');
  await sandbox.reconfigure();
});
afterEach(async () => {
  Object.assign(env(), { APP_ENV: 'test' });
  await expectSoundBooks();
  await db().delete(paymentConfigs).where(eq(paymentConfigs.mode, 'live'));
});

async function pay(provider: PaymentProviderName, amountCents: number, buyer?: Actor): Promise<Opened> {
  const made = await sandbox.open(provider, amountCents, buyer);
  await sandbox.act(provider, made.reference, provider === 'paypal' ? 'approve' : 'pay');
  await settleReturn(made.buyer, { topupId: made.id, reference: null });
  return made;
}

const newsOf = async (buyer: Actor) => (await getNotifications(buyer)).items.map(({ kind }) => kind);
const sumOf = async (provider: PaymentProviderName) =>
  (await listTestCredits(provider)).reduce((sum, { amountCents }) => sum + amountCents, 0);
const goLive = (provider: PaymentProviderName, confirmedCents?: number) =>
  updateProviderConfig(admin, provider, { mode: 'live' }, undefined, confirmedCents);
const modeOf = async (provider: PaymentProviderName) =>
  (await db().select().from(paymentModes).where(eq(paymentModes.provider, provider)))[0]?.mode;

describe.each(paymentProviders)('%s switched to live mode', (provider) => {
  const itInTurn = testInTurn(provider);
  it('reverses every test credit in one transaction after confirmation of the sum', async () => {
    const first = await pay(provider, 5_000);
    const second = await pay(provider, 1_234);
    const refunded = await pay(provider, 2_001);
    await sandbox.act(provider, refunded.reference, 'refund', { amount: 1_000 });
    await sandbox.act(provider, refunded.reference, 'deliver');
    const kept = await getWalletBalance(refunded.buyer.userId);
    expect(await listTestCredits(provider)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ topupId: first.id, email: first.buyer.email, amountCents: 5_000 }),
        expect.objectContaining({ topupId: refunded.id, amountCents: kept }),
      ]),
    );
    const sum = await sumOf(provider);
    await expect(goLive(provider)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('test'),
    });
    await expect(goLive(provider, sum - 1)).rejects.toMatchObject({ code: 'conflict' });
    expect(await getWalletBalance(first.buyer.userId)).toBe(5_000);
    // Twice concurrently: one switch, one reversal of each credit.
    await Promise.all([goLive(provider, sum), goLive(provider, sum).catch(() => undefined)]);
    for (const { buyer } of [first, second, refunded]) expect(await getWalletBalance(buyer.userId)).toBe(0);
    // No payment method received the test money.
    for (const { buyer } of [first, second]) expect(await newsOf(buyer)).toEqual(['topup.paid']);
    expect(await newsOf(refunded.buyer)).toEqual(['topup.refunded', 'topup.paid']);
    expect((await topupRow(first.id)).status).toBe('refunded');
    expect(await modeOf(provider)).toBe('live');
    expect(await listTestCredits(provider)).toEqual([]);
  });

  itInTurn('is refused completely where test money was spent', async () => {
    const spender = await pay(provider, 5_000);
    const saver = await pay(provider, 5_000);
    const siteId = await makeSite((await makeUser('Seller')).userId, 2_000);
    const projectId = await makeProject(spender.buyer);
    const { orders } = await createOrder(spender.buyer, { kind: 'custom', projectId, siteIds: [siteId] });
    await expect(goLive(provider, await sumOf(provider))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(spender.buyer.email),
    });
    expect(await getWalletBalance(saver.buyer.userId)).toBe(5_000);
    expect(await modeOf(provider)).not.toBe('live');
    expect(await db().$count(transfers, like(transfers.key, '%test-credit:%:owed'))).toBe(0);
    // The step that the message names makes the switch possible.
    await updateOrder(admin, orders[0]?.id ?? 0, { status: 'Refunded' });
    await goLive(provider, await sumOf(provider));
    expect(await getWalletBalance(spender.buyer.userId)).toBe(0);
  });

  itInTurn('keeps test money that is returned later out of the wallet, also after a second switch', async () => {
    const made = await pay(provider, 5_000);
    const other = await pay(provider, 1_000);
    const { paymentReference, chargeAmountMinor, chargeCurrency, mode } = await topupRow(made.id);
    const evidence = (reference: string, part: number, money: 'taken' | 'returned'): ReversalEvidence => ({
      about: 'reversal',
      kind: part === 4 ? 'dispute' : 'refund',
      reference: `${reference}-${made.id}`,
      paymentReference: paymentReference ?? '',
      topupId: made.id,
      mode,
      amountMinor: Math.floor(chargeAmountMinor / part),
      currency: chargeCurrency,
      money,
      outcome: null,
    });
    const report = (...given: Parameters<typeof evidence>) =>
      reverseTopup(systemActor('Tests', 'script'), made.id, evidence(...given));
    await report('half', 2, 'taken');
    await report('quarter', 4, 'taken');
    await goLive(provider, await sumOf(provider));
    // Many deliveries at once, and a switch while the second one arrives.
    await Promise.all(Array.from({ length: 3 }, () => report('half', 2, 'returned')));
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
    expect(await listTestCredits(provider)).toEqual([]);
    expect(await newsOf(made.buyer)).toEqual(['topup.disputed', 'topup.refunded', 'topup.paid']);
    await sandbox.reconfigure();
    await Promise.all([
      report('quarter', 4, 'returned'),
      goLive(provider, await sumOf(provider)).catch(() => undefined),
    ]);
    await goLive(provider, await sumOf(provider));
    for (const { buyer } of [made, other]) expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await listTestCredits(provider)).toEqual([]);
    expect(await newsOf(other.buyer)).toEqual(['topup.paid']);
    expect((await topupRow(made.id)).status).toBe('refunded');
  });

  itInTurn('leaves no test credit when a test payment is settled concurrently', async () => {
    for (let round = 0; round < 4; round += 1) {
      await sandbox.reconfigure();
      const made = await sandbox.open(provider, 3_000);
      await sandbox.act(provider, made.reference, provider === 'paypal' ? 'approve' : 'pay');
      const switching = async () => {
        // The sum changes while the payment is settled, so confirm again until the switch succeeds.
        for (;;) {
          try {
            return await goLive(provider, await sumOf(provider));
          } catch (thrown) {
            expect(thrown).toMatchObject({ code: 'conflict', message: expect.stringContaining('Confirm') });
          }
        }
      };
      await Promise.all([settleReturn(made.buyer, { topupId: made.id, reference: null }), switching()]);
      expect(await getWalletBalance(made.buyer.userId)).toBe(0);
    }
  });
});

describe('test mode in production', () => {
  beforeEach(() => Object.assign(env(), { APP_ENV: 'production' }));

  it.each(paymentProviders)('lets only staff with ManagePayments top up by %s', async (provider) => {
    await expect(sandbox.open(provider, 5_000)).rejects.toMatchObject({ code: 'not_configured' });
    const treasurer: Actor = { ...(await makeStaff('ManagePayments')), ip: someAddress() };
    const own = await pay(provider, 5_000, treasurer);
    expect(await getWalletBalance(own.buyer.userId)).toBe(5_000);
    // Without the permission, the open checkout credits nothing.
    const open = await sandbox.open(provider, 7_000, treasurer);
    await db().update(users).set({ role: 'User' }).where(eq(users.id, treasurer.userId));
    await sandbox.act(provider, open.reference, provider === 'paypal' ? 'approve' : 'pay');
    await settleReturn(treasurer, { topupId: open.id, reference: null });
    expect(await getWalletBalance(treasurer.userId)).toBe(5_000);
    expect(await topupRow(open.id)).toMatchObject({
      status: 'review',
      reason: expect.stringContaining('without the permission ManagePayments'),
    });
  });

  it('offers buyers no provider in test mode', async () => {
    expect(await listOfferedProviders(await makeUser())).toEqual([]);
    expect((await listOfferedProviders(admin)).map(({ name }) => name).sort()).toEqual([...paymentProviders].sort());
  });
});
