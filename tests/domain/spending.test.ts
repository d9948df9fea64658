import fc from 'fast-check';
import postgres from 'postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { postTransfer, revenueAccount, type Transfer, walletAccount } from '@/lib/ledger/post-transfer';
import { resetRollUp, rollUpLedger } from '@/lib/ledger/roll-up';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { updateOrder } from '@/lib/orders/order/update';
import { getSpendingMonths, type SpendingMonth, spendingMonths } from '@/lib/wallet/spending';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';
import { getSpentThisMonth } from '@/tests/setup/spent-this-month';

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

const rollUpAll = async () => {
  while ((await rollUpLedger()).rolledUp > 0);
};
const findGaps = async () => {
  const { checks } = await verifyBooks();
  return checks.filter(({ name, broken }) => name.startsWith('The rolled-up') && broken > 0);
};
const thisMonth = (months: readonly SpendingMonth[]) => months.at(-1);

/** The first day of an earlier month (UTC), at noon. */
function monthsAgo(months: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1, 12));
}

/** Dates a transfer back: the table refuses changes to the application. */
async function dateBack(key: string, at: Date): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`alter table ledger.transfers disable trigger user`;
    await tx`update ledger.transfers set created_at = ${at}, effective_at = ${at} where key = ${key}`;
    await tx`alter table ledger.transfers enable trigger user`;
  });
}

const steps = ['pay', 'return', 'undo', 'top up', 'roll up'] as const;
const step = fc.record({
  kind: fc.constantFrom(...steps),
  amountCents: fc.integer({ min: 1, max: 50_000 }),
  months: fc.integer({ min: 0, max: spendingMonths + 2 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Posts random payments, refunds and reversals of an order, and adds them up by month in a plain way. */
async function play({ id, buyer }: { id: number; buyer: Actor }, walk: readonly Step[]) {
  const expected = new Map<string, { paidCents: number; returnedCents: number }>();
  let paid: { transfer: Transfer; id: string } | undefined;
  for (const { kind, amountCents, months } of walk) {
    if (kind === 'roll up') {
      await rollUpAll();
      continue;
    }
    if (kind === 'top up') {
      await fundWallet(buyer.userId, amountCents);
      continue;
    }
    const wallet = walletAccount(buyer.userId);
    const [from, to] = kind === 'pay' ? [wallet, revenueAccount] : [revenueAccount, wallet];
    if (kind === 'undo' && !paid) continue;
    const transfer: Transfer = {
      key: `test:${newId()}`,
      kind: kind === 'pay' ? 'order_recharge' : kind === 'return' ? 'order_refund' : 'reversal',
      from,
      to,
      amountCents: kind === 'undo' && paid ? paid.transfer.amountCents : amountCents,
      currency: 'USD',
      // A reversal belongs to the order of the transfer that it reverses.
      ...(kind === 'undo' && paid ? { reversesId: paid.id } : { orderId: id }),
    };
    const { transferId } = await postTransfer(db(), transfer);
    paid = kind === 'pay' ? { transfer, id: transferId } : kind === 'undo' ? undefined : paid;
    const at = monthsAgo(months);
    await dateBack(transfer.key, at);
    const month = at.toISOString().slice(0, 7);
    const sums = expected.get(month) ?? { paidCents: 0, returnedCents: 0 };
    expected.set(month, {
      paidCents: sums.paidCents + (kind === 'pay' ? transfer.amountCents : 0),
      returnedCents: sums.returnedCents + (kind === 'pay' ? 0 : transfer.amountCents),
    });
  }
  return expected;
}

describe('the spending of a buyer by month', () => {
  it('equals the sums of what orders took from and returned to the wallet, rolled up or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.array(step, { maxLength: 6 }), async (walk, others) => {
        const ordered = await makeOrder(700, 10_000_000);
        const other = await makeOrder(300, 10_000_000);
        const expected = await play(ordered, walk);
        await play(other, others);
        const current = monthsAgo(0).toISOString().slice(0, 7);
        const first = expected.get(current) ?? { paidCents: 0, returnedCents: 0 };
        // The order itself.
        expected.set(current, { ...first, paidCents: first.paidCents + 700 });
        const plain = Array.from({ length: spendingMonths }, (_, index) => {
          const month = monthsAgo(spendingMonths - 1 - index)
            .toISOString()
            .slice(0, 7);
          return { month, paidCents: 0, returnedCents: 0, ...expected.get(month) };
        });
        expect(await getSpendingMonths(ordered.buyer.userId)).toEqual(plain);
        // Limits: what returns of an earlier month's charges frees nothing.
        const { paidCents = 0, returnedCents = 0 } = thisMonth(plain) ?? {};
        const { accountId, userId: memberId } = ordered.buyer;
        expect(await getSpentThisMonth(accountId, { memberId })).toBe(Math.max(0, paidCents - returnedCents));
        await rollUpAll();
        expect(await getSpendingMonths(ordered.buyer.userId)).toEqual(plain);
      }),
      { numRuns: propertyRuns(12) },
    );
    expect(await findGaps()).toEqual([]);
    await resetRollUp();
    await rollUpAll();
    expect(await findGaps()).toEqual([]);
  });

  it('counts a refund as returned, and no top-up', async () => {
    const { id, buyer } = await makeOrder(4_000, 5_000);
    await updateOrder(await makeUser('Admin'), id, { status: 'Refunded' });
    const month = monthsAgo(0).toISOString().slice(0, 7);
    expect(thisMonth(await getSpendingMonths(buyer.userId))).toEqual({ month, paidCents: 4_000, returnedCents: 4_000 });
  });

  it('is zero in every month for a user without a wallet', async () => {
    const { userId } = await makeUser();
    const months = await getSpendingMonths(userId);
    expect(months).toHaveLength(spendingMonths);
    expect(months.every(({ paidCents, returnedCents }) => paidCents === 0 && returnedCents === 0)).toBe(true);
  });
});
