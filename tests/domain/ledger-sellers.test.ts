import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import type { placements } from '@/db/schema/placements';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { postTransfer, postTransfers, reservedAccount, sellerPendingAccount } from '@/lib/ledger/post-transfer';
import { splitShare } from '@/lib/orders/placements/shares';
import {
  createApprovalTransfers,
  createReturnTransfers,
  createSettlementTransfers,
  createTakeOverTransfers,
} from '@/lib/orders/placements/transfers';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeUser } from '@/tests/factories/make-user';

// The writer alone: these transfers belong to no rows of orders and placements.

const by = { actorId: null };
const account = z.object({ balance: z.coerce.number(), version: z.number(), guarded: z.boolean() });

async function readAccount(kind: 'seller_pending' | 'seller_payable', owner: string) {
  const [row] = await db().execute(sql`
    select balance_cents as balance, version, guarded from ledger.accounts where kind = ${kind} and owner = ${owner}`);
  return account.parse(row);
}

let lastOrder = 1_000_000;
type Shares = Pick<typeof placements.$inferSelect, 'sellerCents' | 'marginCents'>;

/** Pays an order into `reserved`, and returns it with its placement. */
async function reserve(buyerId: string, sellerId: string, shares: Shares = { sellerCents: 600, marginCents: 400 }) {
  const order = { id: ++lastOrder, accountId: buyerId, website: 'site.example', refundCount: 0 };
  const chargeCents = shares.sellerCents + shares.marginCents;
  await postTransfer(db(), {
    key: `order:${order.id}`,
    kind: 'order',
    from: { kind: 'wallet', owner: buyerId },
    to: reservedAccount,
    amountCents: chargeCents,
    currency: 'USD',
    orderId: order.id,
  });
  return {
    order,
    placement: { sellerId, ...shares, sellerReturnedCents: 0, marginReturnedCents: 0, approvedAt: null },
  };
}

type Reserved = Awaited<ReturnType<typeof reserve>>;

const approve = ({ order, placement }: Reserved) => postTransfers(db(), createApprovalTransfers(order, placement, by));

const settleAt = ({ order, placement }: Reserved, percent: number, approvedAt: Date | null) => {
  const { sellerReturnedCents, marginReturnedCents } = splitShare(placement, percent);
  const settled = { ...placement, sellerReturnedCents, marginReturnedCents, approvedAt };
  return postTransfers(db(), createSettlementTransfers(order, settled, by));
};

async function makePair() {
  const [buyer, seller] = [await makeUser(), await makeUser('Seller')];
  await fundWallet(buyer.userId, 100_000);
  return { buyerId: buyer.userId, sellerId: seller.userId };
}

describe('the account of a seller', () => {
  it('stores its balance and a version, and every step moves exactly the shares', async () => {
    const { buyerId, sellerId } = await makePair();
    const kept = await reserve(buyerId, sellerId);
    await approve(kept);
    expect(await readAccount('seller_pending', sellerId)).toEqual({ balance: 600, version: 1, guarded: true });
    await settleAt(kept, 25, new Date());
    expect(await readAccount('seller_pending', sellerId)).toEqual({ balance: 450, version: 2, guarded: true });
    expect(await getWalletBalance(buyerId)).toBe(99_250);

    await settleAt(await reserve(buyerId, sellerId, { sellerCents: 101, marginCents: 33 }), 50, null);
    expect(await readAccount('seller_pending', sellerId)).toMatchObject({ balance: 500, version: 3 });
    expect(await getWalletBalance(buyerId)).toBe(99_184);

    const declined = await reserve(buyerId, sellerId);
    await postTransfers(db(), createReturnTransfers(declined.order, declined.placement, by));
    const taken = await reserve(buyerId, sellerId);
    await postTransfers(db(), createTakeOverTransfers(taken.order, taken.placement, by));
    expect(await getWalletBalance(buyerId)).toBe(98_184);
    expect(await readAccount('seller_pending', sellerId)).toMatchObject({ balance: 500 });
  });

  it('credits the buyer once, in one amount, when a settlement follows the approval', async () => {
    const { buyerId, sellerId } = await makePair();
    const { order, placement } = await reserve(buyerId, sellerId);
    const settled = { ...placement, sellerReturnedCents: 300, marginReturnedCents: 200, approvedAt: new Date() };
    const credits = createSettlementTransfers(order, settled, by).filter(({ to }) => to.kind === 'wallet');
    expect(credits).toMatchObject([{ key: `settle:${order.id}`, amountCents: 500, kind: 'order_refund' }]);
  });

  it('never falls below zero, and the first of many repeats counts', async () => {
    const { buyerId, sellerId } = await makePair();
    const one = await reserve(buyerId, sellerId);
    await Promise.all(Array.from({ length: 20 }, () => approve(one)));
    expect(await readAccount('seller_pending', sellerId)).toEqual({ balance: 600, version: 1, guarded: true });
    const take = () =>
      postTransfer(db(), {
        key: `test:${newId()}`,
        kind: 'earning',
        from: sellerPendingAccount(sellerId),
        to: reservedAccount,
        amountCents: 250,
        currency: 'USD',
      });
    const results = await Promise.allSettled(Array.from({ length: 8 }, take));
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(6);
    for (const one of refused) expect(one).toMatchObject({ reason: { cause: { code: '23514' } } });
    expect(await readAccount('seller_pending', sellerId)).toMatchObject({ balance: 100, version: 3 });
  });

  it('is locked in one order by lists that name it in another one', async () => {
    const { buyerId, sellerId } = await makePair();
    const made = await Promise.all(Array.from({ length: 40 }, () => reserve(buyerId, sellerId)));
    const isApproved = (index: number) => index % 2 === 0;
    await Promise.all(made.filter((_, index) => isApproved(index)).map(approve));
    // After the approval, the seller's account comes first; before it, the wallet.
    await Promise.all(made.map((one, index) => settleAt(one, 50, isApproved(index) ? new Date() : null)));
    expect(await getWalletBalance(buyerId)).toBe(100_000 - 40 * 500);
    expect(await readAccount('seller_pending', sellerId)).toMatchObject({ balance: 40 * 300 });
  });

  it('for payouts stores a balance as well, and takes money of the pending one', async () => {
    const { buyerId, sellerId } = await makePair();
    await approve(await reserve(buyerId, sellerId));
    await postTransfer(db(), {
      key: `test:${newId()}`,
      kind: 'earning',
      from: sellerPendingAccount(sellerId),
      to: { kind: 'seller_payable', owner: sellerId },
      amountCents: 200,
      currency: 'USD',
    });
    expect(await readAccount('seller_pending', sellerId)).toMatchObject({ balance: 400, version: 2 });
    expect(await readAccount('seller_payable', sellerId)).toEqual({ balance: 200, version: 1, guarded: true });
  });
});
