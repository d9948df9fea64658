import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { bankLines, bankTransferRequests } from '@/db/schema/bank-transfers';
import { transfers } from '@/db/schema/ledger';
import { orders } from '@/db/schema/orders';
import { paymentReversals, topups } from '@/db/schema/topups';
import { newId } from '@/lib/ids';
import {
  adjustmentsAccount,
  clearingAccount,
  postTransfer,
  revenueAccount,
  suspenseAccount,
  type Transfer,
  walletAccount,
} from '@/lib/ledger/post-transfer';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { updateOrder } from '@/lib/orders/order/update';
import { arrivalKey, returnPosting, takenKey } from '@/lib/payments/bank-transfers/postings';
import { uploadStatement } from '@/lib/payments/bank-transfers/upload';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeTransferRequest, offerBankTransfers } from '@/tests/factories/make-bank-transfer';
import { makeOrder } from '@/tests/factories/make-order';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { creditStatement } from '@/tests/setup/bank-credits';
import { brokenBy } from '@/tests/setup/broken-by';

// As the database's owner, who alone can: each test damages the books permanently in this file's own database.

const post = (transfer: Partial<Transfer> & Pick<Transfer, 'kind' | 'from' | 'to'>) =>
  postTransfer(db(), { key: `test:${newId()}`, amountCents: 1_000, currency: 'USD', ...transfer });

async function makePaid(status: 'paid' | 'review' = 'paid') {
  const { userId } = await makeUser();
  const id = newId();
  await makeTopup({ userId }, { id, amountCents: 1_000, paymentReference: `pi_${id}`, status });
  const to = status === 'paid' ? walletAccount(userId) : suspenseAccount;
  const book = () =>
    post({
      key: `stripe:pi_${id}`,
      kind: status === 'paid' ? 'topup' : 'suspense',
      from: clearingAccount('stripe'),
      to,
      meta: { topupId: id },
    });
  return { id, userId, book };
}

const statusCheck = 'Refunded orders are returned in full, and all others are paid once';
const ownerCheck = 'Orders are paid from their buyer’s wallet and refunded to it';

describe('the proof of the books accepts', () => {
  it('an order that was refunded and paid again, and credited and suspended payments', async () => {
    const admin = await makeUser('Admin');
    const { id } = await makeOrder(1_000);
    await updateOrder(admin, id, { status: 'Refunded' });
    await updateOrder(admin, id, { status: 'Pending' });
    await (await makePaid()).book();
    await (await makePaid('review')).book();
    expect((await verifyBooks()).checks.filter(({ broken }) => broken > 0)).toEqual([]);
  });
});

describe('the proof of the books finds an order', () => {
  const setStatus = (id: number, status: 'Refunded' | 'Pending') =>
    db().update(orders).set({ status }).where(eq(orders.id, id));

  it('charged twice', async () => {
    const { id, buyer } = await makeOrder(1_000, 1_000);
    const again = {
      kind: 'order_recharge',
      from: walletAccount(buyer.userId),
      to: revenueAccount,
      orderId: id,
    } as const;
    expect(await brokenBy(() => post(again))).toEqual([statusCheck]);
  });

  it('with the status Refunded and no refund', async () => {
    const { id } = await makeOrder(1_000);
    expect(await brokenBy(() => setStatus(id, 'Refunded'))).toEqual([statusCheck]);
  });

  it('with a refund and another status', async () => {
    const { id } = await makeOrder(1_000);
    await updateOrder(await makeUser('Admin'), id, { status: 'Refunded' });
    expect(await brokenBy(() => setStatus(id, 'Pending'))).toEqual([statusCheck]);
  });

  it("paid from another user's wallet", async () => {
    const { id } = await makeOrder(1_000);
    const stranger = await makeUser();
    expect(
      await brokenBy(() => db().update(orders).set({ accountId: stranger.userId }).where(eq(orders.id, id))),
    ).toEqual([ownerCheck]);
  });

  it('refunded to another user', async () => {
    const { id } = await makeOrder(1_000);
    const stranger = await makeUser();
    await setStatus(id, 'Refunded');
    const refund = {
      kind: 'order_refund',
      from: revenueAccount,
      to: walletAccount(stranger.userId),
      orderId: id,
    } as const;
    expect(await brokenBy(() => post(refund))).toEqual([ownerCheck]);
  });

  it.each([{ orderId: 2_000_000_000 }, {}])('that does not exist: %o', async (named) => {
    const { userId } = await makeUser();
    await fundWallet(userId, 1_000);
    const paid = { kind: 'order', from: walletAccount(userId), to: revenueAccount, ...named } as const;
    expect(await brokenBy(() => post(paid))).toContain(ownerCheck);
  });
});

describe('the proof of the books finds a payment', () => {
  it("with another name than the ledger's", async () => {
    const { id, book } = await makePaid();
    await book();
    const rename = () => db().update(topups).set({ paymentReference: 'pi_other' }).where(eq(topups.id, id));
    expect(await brokenBy(rename)).toEqual(['Every top-up references the payment in the books']);
  });

  it('in review whose money is not in suspense', async () => {
    expect(await brokenBy(() => makePaid('review'))).toEqual(['Payments in review are held in suspense']);
  });
});

describe('the proof of the books finds a movement at a provider', () => {
  const reversalCheck = 'Every refund and dispute at a provider is in the books';

  it.each(['provider_refund', 'dispute'] as const)('debited by an unrecorded %s', async (kind) => {
    const { userId, book } = await makePaid();
    await book();
    const key = `stripe:${kind === 'dispute' ? 'dispute' : 'refund'}:gone_${newId()}`;
    const taken = { key, kind, from: walletAccount(userId), to: clearingAccount('stripe') };
    expect(await brokenBy(() => post(taken))).toEqual([
      'Every amount that a provider took or returned is a refund or dispute',
    ]);
  });

  it('that was returned only in part of the excess', async () => {
    const { id, book } = await makePaid();
    await book();
    const reference = `re_${id}`;
    const key = `stripe:refund:${reference}`;
    const row = {
      id: newId(),
      topupId: id,
      provider: 'stripe',
      mode: 'test',
      kind: 'refund',
      paymentReference: `pi_${id}`,
      reference,
      amountMinor: 1_000,
      currency: 'USD',
      excessMinor: 1_000,
      money: 'returned',
    } as const;
    const clearing = clearingAccount('stripe');
    expect(
      await brokenBy(async () => {
        await db().insert(paymentReversals).values(row);
        await post({ key: `${key}:excess`, kind: 'provider_refund', from: suspenseAccount, to: clearing });
        await post({
          key: `${key}:returned:excess`,
          kind: 'dispute_reversal',
          from: clearing,
          to: suspenseAccount,
          amountCents: 999,
        });
      }),
    ).toEqual([reversalCheck]);
  });
});

describe('the proof of the books finds a bank transfer', () => {
  it.each([
    [9_000, 'wallet'],
    [10_000, 'receivable'],
    [0, 'wallet'],
  ] as const)('of $100.00 whose bank took it back, with %i cents from the %s', async (amountCents, kind) => {
    await offerBankTransfers();
    const { userId } = await makeUser();
    const request = await makeTransferRequest({ userId });
    await uploadStatement(
      await makeStaff('ManageWallets'),
      creditStatement([{ cents: 10_000, text: request.reference }]),
    );
    const [line] = await db().select().from(bankLines).where(eq(bankLines.requestId, request.id));
    if (!line) throw new Error('No line');
    const [arrival] = await db()
      .select()
      .from(transfers)
      .where(eq(transfers.key, arrivalKey(line)));
    const taken = { kind: 'bank_reversal', from: { kind, owner: userId }, to: suspenseAccount, amountCents } as const;
    const broken = await brokenBy(async () => {
      await postTransfer(db(), returnPosting(line, arrival?.id ?? '', userId, ''));
      if (amountCents > 0) await post({ ...taken, key: takenKey(line), meta: { bankLine: line.id } });
      await db()
        .update(bankLines)
        .set({ state: 'returned', reason: 'taken_back', creditedCents: null })
        .where(eq(bankLines.id, line.id));
      await db().update(bankTransferRequests).set({ state: 'open' }).where(eq(bankTransferRequests.id, request.id));
    });
    expect(broken).toEqual([
      amountCents > 0
        ? 'Credits of transfers that the bank took back left the wallet, or are owed'
        : 'Every matched bank transfer was credited once, to its buyer',
    ]);
  });

  it('taken back without a line', async () => {
    const { userId } = await makeUser();
    await fundWallet(userId, 1_000);
    const stray = { kind: 'bank_reversal', from: walletAccount(userId), to: suspenseAccount } as const;
    expect(await brokenBy(() => post(stray))).toEqual([
      'Every bank transfer in the books is a line of a bank statement',
    ]);
  });
});

describe('the proof of the books finds a transfer', () => {
  it.each([
    ['manual_topup', clearingAccount('stripe')],
    ['topup', adjustmentsAccount],
    ['dispute_reversal', revenueAccount],
  ] as const)('of kind %s between accounts it must not use', async (kind, from) => {
    const { userId } = await makeUser();
    expect(await brokenBy(() => post({ kind, from, to: walletAccount(userId) }))).toContain(
      'Money moved only between accounts that its kind allows',
    );
  });
});
