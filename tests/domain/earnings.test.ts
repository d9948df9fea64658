import postgres from 'postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { exportEarnings, getEarnings, listEarningEntries } from '@/lib/earnings/statement';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { verifyBooks } from '@/lib/ledger/verify-books';
import {
  createApprovalTransfers,
  createRipeningTransfers,
  createSettlementTransfers,
} from '@/lib/orders/placements/transfers';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

const by = { actorId: null };
const approvedAt = new Date();

/** Approves a placement of a paid order, as the steps of a placement post it. */
async function earn(sellerId: string, sellerCents: number, marginCents = 100) {
  const { id, buyer } = await makeOrder(sellerCents + marginCents);
  const order = { id, accountId: buyer.userId, website: 'https://own.example', refundCount: 0 };
  const placement = { sellerId, sellerCents, marginCents, sellerReturnedCents: 0, marginReturnedCents: 0 };
  await postTransfers(db(), createApprovalTransfers(order, { ...placement, approvedAt: null }, by));
  return { order, placement };
}

/** Returns part of an approved placement to the buyer. */
const giveBack = ({ order, placement }: Awaited<ReturnType<typeof earn>>, sellerReturnedCents: number) =>
  postTransfers(
    db(),
    createSettlementTransfers(order, { ...placement, sellerReturnedCents, marginReturnedCents: 50, approvedAt }, by),
  );

/** Makes the first part of an approved placement payable. */
const ripen = ({ order, placement }: Awaited<ReturnType<typeof earn>>, ripenedCents: number) =>
  postTransfers(
    db(),
    createRipeningTransfers(order, { ...placement, ripenedCents: 0, ripenCount: 0 }, ripenedCents, by),
  );

/** Moves the entries of an account up to a version into an earlier month, as an older installation has them. */
async function moveBack(sellerId: string, version: number, months: number): Promise<string> {
  await owner`alter table ledger.transfers disable trigger user`;
  await owner`update ledger.transfers t set effective_at = now() - make_interval(months => ${months})
    from ledger.accounts a where a.kind = 'seller_pending' and a.owner = ${sellerId}
    and (t.to_account = a.id and t.to_version <= ${version} or t.from_account = a.id and t.from_version <= ${version})`;
  await owner`alter table ledger.transfers enable trigger user`;
  const [row] = await owner<{ month: string }[]>`
    select to_char(now() at time zone 'UTC' - make_interval(months => ${months}), 'YYYY-MM') as month`;
  return row?.month ?? '';
}

async function textOf(pieces: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

const amountsOf = (rows: { kind: string; amountCents: number; balanceCents: number }[]) =>
  rows.map(({ kind, amountCents, balanceCents }) => `${kind} ${amountCents} → ${balanceCents}`);

describe("a seller's statement", () => {
  it('has the same months and balances before and after each roll-up', async () => {
    const seller = await makeUser('Seller');
    expect(await getEarnings(seller.userId)).toEqual({ balanceCents: 0, months: [] });
    const first = await earn(seller.userId, 1_001);
    await giveBack(first, 400);
    const earlier = await moveBack(seller.userId, 2, 2);
    await ripen(await earn(seller.userId, 2_000), 800);
    const month = new Date().toISOString().slice(0, 7);
    const behind = await getEarnings(seller.userId);
    expect(behind).toEqual({
      balanceCents: 1_801,
      months: [
        { month, earnedCents: 2_000, returnedCents: 0, ripenedCents: 800, balanceCents: 1_801 },
        { month: earlier, earnedCents: 1_001, returnedCents: 400, ripenedCents: 0, balanceCents: 601 },
      ],
    });
    await rollUpLedger();
    expect(await getEarnings(seller.userId)).toEqual(behind);
    await giveBack(await earn(seller.userId, 500), 500);
    const after = {
      balanceCents: 1_801,
      months: [
        { month, earnedCents: 2_500, returnedCents: 500, ripenedCents: 800, balanceCents: 1_801 },
        behind.months[1],
      ],
    };
    expect(await getEarnings(seller.userId)).toEqual(after);
    await rollUpLedger();
    expect(await getEarnings(seller.userId)).toEqual(after);
  });

  it('lists every entry once with its order and the balance after it, also one month and by cursor', async () => {
    const [seller, other] = [await makeUser('Seller'), await makeUser('Seller')];
    const first = await earn(seller.userId, 300);
    await earn(other.userId, 9_999);
    const earlier = await moveBack(seller.userId, 1, 1);
    await giveBack(first, 100);
    const last = await earn(seller.userId, 50);
    const all = await listEarningEntries(seller.userId, { limit: 10 });
    expect(amountsOf(all.rows)).toEqual(['earned 50 → 250', 'returned 100 → 200', 'earned 300 → 300']);
    expect(all).toMatchObject({ total: 3, rows: [{ orderId: last.order.id }, {}, {}] });
    const page = await listEarningEntries(seller.userId, { limit: 1, cursor: { toward: 'next', id: '3' } });
    expect(page).toMatchObject({ rows: [{ id: 2 }], next: 'next.2', previous: 'previous.2', total: 3 });
    expect(await listEarningEntries(seller.userId, { limit: 1, cursor: { toward: 'next', id: 'zz' } })).toMatchObject({
      rows: [],
    });
    const month = await listEarningEntries(seller.userId, { limit: 10, month: earlier });
    expect(month).toMatchObject({ total: 1, rows: [{ orderId: first.order.id, amountCents: 300 }] });
    expect(await listEarningEntries(seller.userId, { limit: 10, month: '2001-01' })).toMatchObject({ total: 0 });
  });

  it('exports what the page lists, and names no buyer', async () => {
    const seller = await makeUser('Seller');
    const earned = await earn(seller.userId, 300, 7_777);
    await ripen(earned, 120);
    await giveBack(earned, 100);
    const lines = (await textOf(exportEarnings(seller.userId, {}))).split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFEntry,Time (UTC),Order,Website,Earned (USD),Returned (USD),Payable (USD),Not payable yet (USD)',
    );
    expect(lines.slice(1, 4).map((line) => line.replace(/,2\d{3}-[^,]+,/, ',time,'))).toEqual([
      expect.stringMatching(/^3,time,\d+,[^,]*,,1\.00,,0\.80$/),
      expect.stringMatching(/^2,time,\d+,[^,]*,,,1\.20,1\.80$/),
      expect.stringMatching(/^1,time,\d+,[^,]*,3\.00,,,3\.00$/),
    ]);
    expect(lines.join()).not.toContain('77.77');
  });

  it('is part of the proof of everything, which finds a changed sum', async () => {
    const seller = await makeUser('Seller');
    await giveBack(await earn(seller.userId, 300), 100);
    await rollUpLedger();
    const sums = 'The rolled-up earnings of sellers equal the sums of their transfers';
    const broken = async () => (await verifyBooks()).checks.find(({ name }) => name === sums)?.broken;
    expect(await broken()).toBe(0);
    await owner`update earning_rollups set out_cents = out_cents + 1
      where account_id = (select id from ledger.accounts where kind = 'seller_pending' and owner = ${seller.userId})`;
    expect(await broken()).toBe(1);
  });
});
