import postgres from 'postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { exportEarnings, getMoneyMonths, getMonthlyStatement, listEarningEntries } from '@/lib/earnings/statement';
import { getEarningsSummary } from '@/lib/earnings/summary';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { createApprovalTransfers, createRipeningTransfers } from '@/lib/orders/placements/transfers';
import { makeOrder } from '@/tests/factories/make-order';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { postPayout } from '@/tests/factories/post-payout';

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

const by = { actorId: null };
/** Approves a placement of a paid order, as the steps of a placement post it. */
async function earn(sellerId: string, sellerCents: number, marginCents = 100) {
  const { id, buyer } = await makeOrder(sellerCents + marginCents);
  const order = { id, accountId: buyer.userId, website: 'https://own.example', refundCount: 0 };
  const placement = { sellerId, sellerCents, marginCents, sellerReturnedCents: 0, marginReturnedCents: 0 };
  await postTransfers(db(), createApprovalTransfers(order, { ...placement, approvedAt: null }, by));
  return { order, placement };
}

/** Makes the first part of an approved placement payable. */
const ripen = ({ order, placement }: Awaited<ReturnType<typeof earn>>, ripenedCents: number) =>
  postTransfers(
    db(),
    createRipeningTransfers(order, { ...placement, ripenedCents: 0, ripenCount: 0 }, ripenedCents, by),
  );

async function textOf(pieces: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

const amountsOf = (rows: { kind: string; amountCents: number; balanceCents: number }[]) =>
  rows.map(({ kind, amountCents, balanceCents }) => `${kind} ${amountCents} → ${balanceCents}`);

const thisMonth = () => new Date().toISOString().slice(0, 7);

describe('the money of a seller', () => {
  it('is reserved, ripening, available, in transit or paid out, and nothing is counted twice', async () => {
    const seller = await makeUser('Seller');
    const { userId } = seller;
    expect(await getEarningsSummary(userId)).toEqual({
      ...{ reservedCents: 0, ripeningCents: 0, availableCents: 0, inTransitCents: 0, paidCents: 0, feesCents: 0 },
      currency: 'USD',
    });
    for (const state of [
      'offered',
      'accepted',
      'delivered',
      'in_revision',
      'disputed',
      'declined',
      'cancelled',
    ] as const)
      await makePlacement(state, { seller, sellerCents: 700 });
    await makePlacement('approved', { seller, sellerCents: 10_000 });
    await makePlacement('disputed', { seller, sellerCents: 1_000, isApproved: true });
    const before = { reservedCents: 5 * 700, ripeningCents: 6_600, availableCents: 4_400 };
    expect(await getEarningsSummary(userId)).toMatchObject({ ...before, inTransitCents: 0, paidCents: 0 });
    await postPayout(userId, 'paid', { amountCents: 1_000, feeCents: 100 });
    await postPayout(userId, 'returned', { amountCents: 500, feeCents: 100 });
    await postPayout(userId, 'failed', { amountCents: 500 });
    await postPayout(userId, 'requested', { amountCents: 2_000 });
    expect(await getEarningsSummary(userId)).toMatchObject({
      ...{ ...before, availableCents: 1_400, inTransitCents: 2_000, paidCents: 1_000, feesCents: 100 },
    });
    expect((await verifyBooks()).checks.filter(({ broken }) => broken > 0)).toEqual([]);
  });

  it('has a statement of what is available, with the balance after each entry and the balances of months', async () => {
    const { userId } = await makeUser('Seller');
    await ripen(await earn(userId, 2_000), 800);
    await postPayout(userId, 'returned', { amountCents: 600, feeCents: 50 });
    await postPayout(userId, 'requested', { amountCents: 300 });
    const month = thisMonth();
    const all = await listEarningEntries(userId, { limit: 10, account: 'available' });
    expect(amountsOf(all.rows)).toEqual([
      'payout 300 → 500',
      'payout_returned 50 → 800',
      'payout_returned 550 → 750',
      'payout 600 → 200',
      'ripened 800 → 800',
    ]);
    expect(all.rows[0]).toMatchObject({ orderId: null, payoutId: expect.any(String) });
    expect(all.rows[4]).toMatchObject({ orderId: expect.any(Number), payoutId: null });
    const months = [
      ...[{ month, earnedCents: 2_000, returnedCents: 0, ripenedCents: 800, paidOutCents: 300, availableCents: 500 }],
    ];
    expect(await getMoneyMonths(userId)).toEqual(months);
    expect(await getMonthlyStatement(userId, { month, account: 'available' })).toMatchObject({
      ...{ openingCents: 0, closingCents: 500 },
    });
    await rollUpLedger();
    expect(await getMoneyMonths(userId)).toEqual(months);
    expect(await getMonthlyStatement(userId, { month: '2999-01', account: 'available' })).toMatchObject({
      ...{ openingCents: 500, closingCents: 500, scope: null },
    });
    expect(await getMonthlyStatement(userId, { month: '2001-01', account: 'pending' })).toMatchObject({
      ...{ openingCents: 0, closingCents: 0, scope: null },
    });
    const csv = (await textOf(exportEarnings(userId, { month, account: 'available' }))).split('\r\n');
    expect(csv[0]).toContain('Became available (USD),Payout requested (USD),Payout returned (USD),Available (USD)');
    expect(csv[1]).toMatch(/^5,[^,]+,,,[0-9a-z]+,,3\.00,,5\.00$/i);
  });
});
