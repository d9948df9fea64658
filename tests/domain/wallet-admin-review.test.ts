import { eq } from 'drizzle-orm';
import postgres from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { topups } from '@/db/schema/topups';
import { type Actor, systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { computePositions } from '@/lib/ledger/position';
import { getLastProof, proveBooks } from '@/lib/ledger/prove-books';
import { collectReceivable, listReceivables } from '@/lib/ledger/receivables';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { reverseTopup } from '@/lib/payments/reversals/reverse';
import { settleTopup } from '@/lib/payments/top-ups/settle';
import { acceptPayment, listSuspendedPayments } from '@/lib/payments/top-ups/suspended-payments';
import { deleteTransaction } from '@/lib/wallet/delete-transaction';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { settle } from '@/tests/setup/settle';

const job = systemActor('Tests', 'job');
let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('Admin');
});
keepSoundBooks();

/** A top-up of $100.00 without a payment. */
async function openTopup() {
  const buyer = await makeUser();
  const id = newId();
  await makeTopup(buyer, { id, providerReference: `cs_${id}` });
  return { id, userId: buyer.userId, buyer };
}

const pay = (id: string, amountMinor: number, changes: { currency?: string; mode?: 'live'; payment?: string } = {}) =>
  settleTopup(job, id, {
    about: 'payment',
    outcome: 'paid',
    providerReference: `cs_${id}`,
    paymentReference: changes.payment ?? `pi_${id}`,
    topupId: id,
    mode: changes.mode ?? 'test',
    amountMinor,
    currency: changes.currency ?? 'USD',
  });

const refund = (id: string, amountMinor: number, reference = `re_${id}`) =>
  reverseTopup(job, id, {
    about: 'reversal',
    kind: 'refund',
    reference,
    paymentReference: `pi_${id}`,
    topupId: id,
    mode: 'test',
    amountMinor,
    currency: 'USD',
    money: 'taken',
    outcome: null,
  });

const suspendedPaymentsOf = (id: string) => listSuspendedPayments(id);
const usd = async () => computePositions(await verifyBooks()).find(({ currency }) => currency === 'USD');

describe('a payment that does not match its top-up', () => {
  it('is suspended with its reason, and credited when an admin accepts it', async () => {
    const { id, userId } = await openTopup();
    await pay(id, 7_500);
    expect(await suspendedPaymentsOf(id)).toMatchObject([
      {
        topupId: id,
        user: { id: userId },
        requestedMinor: 10_000,
        heldMinor: 7_500,
        currency: 'USD',
        reason: 'Paid 75.00 USD instead of 100.00 USD.',
        refusal: null,
      },
    ]);
    expect((await listSuspendedPayments()).map((one) => one.topupId)).toContain(id);
    expect(await acceptPayment(admin, id)).toEqual({ amountCents: 7_500 });
    expect(await getWalletBalance(userId)).toBe(7_500);
    expect(await suspendedPaymentsOf(id)).toEqual([]);
    const [topup] = await db().select().from(topups).where(eq(topups.id, id));
    expect(topup).toMatchObject({ status: 'paid', amountCents: 7_500, chargeAmountMinor: 7_500 });
    const audit = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id));
    expect(audit.at(-1)).toMatchObject({ action: 'topup.accepted', amountCents: 7_500, userId: admin.userId });
  });

  it('is accepted once, for concurrent requests and repeated notifications', async () => {
    const { id, userId } = await openTopup();
    await pay(id, 7_500);
    const { values, codes } = await settle(Array.from({ length: 6 }, () => acceptPayment(admin, id)));
    expect(values).toHaveLength(1);
    expect(codes).toEqual(Array.from({ length: 5 }, () => 'not_found'));
    await pay(id, 7_500);
    expect(await getWalletBalance(userId)).toBe(7_500);
  });

  it('debits a later refund from the wallet that it was credited to', async () => {
    const { id, userId } = await openTopup();
    await pay(id, 12_000);
    await acceptPayment(admin, id);
    await refund(id, 5_000);
    expect(await getWalletBalance(userId)).toBe(7_000);
    await refund(id, 7_000, `re2_${id}`);
    expect(await getWalletBalance(userId)).toBe(0);
    expect(await suspendedPaymentsOf(id)).toEqual([]);
    const [topup] = await db().select().from(topups).where(eq(topups.id, id));
    expect(topup?.status).toBe('refunded');
  });

  it('is not accepted while the provider does not permit it', async () => {
    const foreign = await openTopup();
    await pay(foreign.id, 10_000, { currency: 'EUR' });
    const testTopup = await openTopup();
    await pay(testTopup.id, 10_000, { mode: 'live' });
    const twice = await openTopup();
    await pay(twice.id, 10_000);
    await pay(twice.id, 10_000, { payment: `pi2_${twice.id}` });
    const refunded = await openTopup();
    await pay(refunded.id, 7_500);
    await refund(refunded.id, 2_500);
    const refusals = ['USD only', 'provider mode other than', 'another payment', 'was already returned'];
    for (const [index, { id }] of [foreign, testTopup, twice, refunded].entries()) {
      const [apart] = await suspendedPaymentsOf(id);
      expect(apart?.refusal).toContain(refusals[index]);
      await expect(acceptPayment(admin, id)).rejects.toMatchObject({ code: 'conflict' });
    }
    expect(await getWalletBalance(twice.userId)).toBe(10_000);
    expect(await getWalletBalance(foreign.userId)).toBe(0);
    await refund(refunded.id, 5_000, `re2_${refunded.id}`);
    expect(await suspendedPaymentsOf(refunded.id)).toEqual([]);
    expect((await settle([acceptPayment(admin, refunded.id)])).codes).toEqual(['not_found']);
  });
});

describe('a deleted top-up', () => {
  it('is suspended until the provider refunds it, which then debits nothing', async () => {
    const { id, userId } = await openTopup();
    await pay(id, 10_000);
    const [credit] = (await listWalletTransactions(userId, { limit: 5 })).rows;
    await deleteTransaction(admin, credit?.id ?? '');
    expect(await suspendedPaymentsOf(id)).toMatchObject([
      { heldMinor: 10_000, reason: 'An admin deleted its credit.' },
    ]);
    await expect(acceptPayment(admin, id)).rejects.toMatchObject({ code: 'conflict' });
    await fundWallet(userId, 300);
    await refund(id, 10_000);
    expect(await suspendedPaymentsOf(id)).toEqual([]);
    expect(await getWalletBalance(userId)).toBe(300);
    expect((await listReceivables()).filter((one) => one.userId === userId)).toEqual([]);
  });

  it('cannot be partly refunded', async () => {
    const { id, userId } = await openTopup();
    await pay(id, 10_000);
    await refund(id, 1_000);
    const { rows } = await listWalletTransactions(userId, { limit: 5 });
    for (const line of rows)
      await expect(deleteTransaction(admin, line.id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await getWalletBalance(userId)).toBe(9_000);
  });

  it('concurrent with a refund at the provider debits the money once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, userId } = await openTopup();
      await pay(id, 10_000);
      const [credit] = (await listWalletTransactions(userId, { limit: 5 })).rows;
      await settle([deleteTransaction(admin, credit?.id ?? '').then(() => undefined), refund(id, 10_000)]);
      expect(await getWalletBalance(userId)).toBe(0);
      expect(await suspendedPaymentsOf(id)).toEqual([]);
      expect((await listReceivables()).filter((one) => one.userId === userId)).toEqual([]);
    }
  });
});

describe('a receivable', () => {
  it("is listed, and collected up to the wallet's balance", async () => {
    const { id, userId, buyer } = await openTopup();
    await pay(id, 10_000);
    const { rows } = await listWalletTransactions(userId, { limit: 5 });
    expect(rows).toHaveLength(1);
    await spendMoney(buyer, 10_000);
    await refund(id, 10_000);
    const mine = async () => (await listReceivables()).find((one) => one.userId === userId);
    expect(await mine()).toMatchObject({ owedCents: 10_000, balanceCents: 0 });
    expect((await settle([collectReceivable(admin, userId)])).codes).toEqual(['conflict']);
    await fundWallet(userId, 4_000);
    expect(await mine()).toMatchObject({ owedCents: 10_000, balanceCents: 4_000 });
    expect(await collectReceivable(admin, userId)).toEqual({ paidCents: 4_000 });
    expect(await mine()).toMatchObject({ owedCents: 6_000, balanceCents: 0 });
  });
});

describe('proving the books', () => {
  it('stores the report with time and actor', async () => {
    expect(await proveBooks(admin)).toEqual({ isSound: true });
    const last = await getLastProof();
    expect(last).toMatchObject({ ranBy: admin.name, report: { isSound: true } });
    expect(Date.now() - (last?.ranAt.getTime() ?? 0)).toBeLessThan(60_000);
  });

  it('shows equal sides for every currency', async () => {
    const positions = computePositions(await verifyBooks());
    expect(positions.map(({ currency }) => currency)).toEqual(['USD', 'EUR']);
    for (const { differenceCents } of positions) expect(differenceCents).toBe(0);
    const before = await usd();
    const { id } = await openTopup();
    await pay(id, 10_000);
    const after = await usd();
    expect((after?.heldCents ?? 0) - (before?.heldCents ?? 0)).toBe(10_000);
    expect((after?.walletsCents ?? 0) - (before?.walletsCents ?? 0)).toBe(10_000);
  });

  it('finds a planted cent, and reports the difference', async () => {
    const { userId } = await makeUser();
    await fundWallet(userId, 500);
    const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1 });
    const plant = (cents: number) =>
      owner`update ledger.accounts set balance_cents = balance_cents + ${cents} where kind = 'wallet' and owner = ${userId}`;
    try {
      await plant(1);
      expect(await proveBooks(admin)).toEqual({ isSound: false });
      const last = await getLastProof();
      expect(last && computePositions(last.report)[0]?.differenceCents).toBe(-1);
    } finally {
      await plant(-1);
      await owner.end();
    }
  });
});
