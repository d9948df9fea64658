import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { transfers } from '@/db/schema/ledger';
import { topups } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { getWalletBalance, recalculateWallet } from '@/lib/ledger/balance';
import { clearingAccount, postTransfer, walletAccount } from '@/lib/ledger/post-transfer';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { listWalletUsers } from '@/lib/users/wallet-users';
import { adminTransactionsQuery, manualTopupBody } from '@/lib/wallet/admin-schemas';
import { type AdminTransactionRow, adminTransactionView } from '@/lib/wallet/contract';
import { deleteTransaction } from '@/lib/wallet/delete-transaction';
import { createManualTopup } from '@/lib/wallet/manual-topup';
import {
  countFilteredTransactions,
  countTransactions,
  listAllTransactions,
  listWalletTransactions,
  streamTransactions,
} from '@/lib/wallet/queries';
import { makeOrder } from '@/tests/factories/make-order';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { settle } from '@/tests/setup/settle';

let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('Admin');
});
keepSoundBooks();

const give = (userId: string, amountCents: number, key: string | null = null, note = '') =>
  createManualTopup(admin, { userId, amountCents, note, currency: 'USD' }, key);
const linesOf = async (userId: string) => (await listWalletTransactions(userId, { limit: 50 })).rows;
const suspenseCents = async () =>
  (await verifyBooks()).totals.find((total) => total.kind === 'suspense' && total.currency === 'USD')?.balanceCents ??
  0;
const auditOf = (userId: string) => db().select().from(auditLogs).where(eq(auditLogs.entityId, userId));

/** A top-up paid at a provider. */
async function payIn(userId: string, amountCents: number): Promise<{ transferId: string; topupId: string }> {
  const topupId = newId();
  await makeTopup({ userId }, { id: topupId, amountCents, status: 'paid', paymentReference: `pi_${topupId}` });
  const { transferId } = await postTransfer(db(), {
    key: `stripe:pi_${topupId}`,
    kind: 'topup',
    from: clearingAccount('stripe'),
    to: walletAccount(userId),
    amountCents,
    currency: 'USD',
    method: 'Stripe',
    note: 'Wallet top-up by Stripe',
    meta: { topupId, mode: 'test' },
  });
  return { transferId, topupId };
}

describe('a manual top-up', () => {
  it('credits the wallet, with its transaction and audit line', async () => {
    const { userId } = await makeUser();
    expect(await give(userId, 2_550, null, 'Sorry for the delay')).toMatchObject({ userId, balanceCents: 2_550 });
    expect(await linesOf(userId)).toMatchObject([
      { type: 'credit', amountCents: 2_550, method: 'Manual', note: 'Sorry for the delay', status: 'Completed' },
    ]);
    expect(await auditOf(userId)).toMatchObject([
      { action: 'wallet.topped_up', amountCents: 2_550, userId: admin.userId },
    ]);
  });

  it('is created once per key; another request with the key is rejected', async () => {
    const { userId } = await makeUser();
    const key = newId();
    const { values } = await settle(Array.from({ length: 12 }, () => give(userId, 1_000, key)));
    expect(new Set(values.map((answer) => answer.transferId)).size).toBe(1);
    expect(new Set(values.map((answer) => answer.balanceCents))).toEqual(new Set([1_000]));
    const otherUserId = (await makeUser()).userId;
    const others = [give(userId, 2_000, key), give(otherUserId, 1_000, key), give(userId, 1_000, key, 'x')];
    expect((await settle(others)).codes).toEqual(['conflict', 'conflict', 'conflict']);
    expect(await getWalletBalance(userId)).toBe(1_000);
    expect(await auditOf(userId)).toHaveLength(1);
  });

  it('with the same key of two admins is two top-ups', async () => {
    const { userId } = await makeUser();
    const other = await makeUser('Admin');
    await give(userId, 100, 'same');
    await createManualTopup(other, { userId, amountCents: 100, note: '', currency: 'USD' }, 'same');
    expect(await getWalletBalance(userId)).toBe(200);
  });

  it('requires an existing user', async () => {
    const gone = await makeUser('User', { deletedAt: new Date() });
    expect((await settle([give('unknown', 100), give(gone.userId, 100)])).codes).toEqual(['not_found', 'not_found']);
  });

  it.each([0, -5, 'abc', '', '0.001', 100_000.01, 1e30, null])('rejects the amount %s', (amount) => {
    expect(manualTopupBody.safeParse({ userId: 'x', amount }).success).toBe(false);
  });

  it('accepts major units of USD only', () => {
    expect(manualTopupBody.parse({ userId: 'x', amount: '25.5', currency: 'usd' })).toMatchObject({
      amountCents: 2_550,
      currency: 'USD',
    });
    expect(manualTopupBody.safeParse({ userId: 'x', amount: 1, currency: 'EUR' }).success).toBe(false);
  });
});

describe('deleting a transaction', () => {
  it('debits the money by a counter-entry and hides both', async () => {
    const { userId } = await makeUser();
    const { transferId } = await give(userId, 5_000);
    await give(userId, 700);
    expect(await deleteTransaction(admin, transferId)).toEqual({ userId });
    expect(await getWalletBalance(userId)).toBe(700);
    expect((await linesOf(userId)).map((line) => line.amountCents)).toEqual([700]);
    expect((await listAllTransactions({ q: '', userId, limit: 10, offset: 0 })).total).toBe(1);
    const [counter] = await db().select().from(transfers).where(eq(transfers.reversesId, transferId));
    expect(counter).toMatchObject({ kind: 'reversal', amountCents: 5_000 });
    expect((await auditOf(userId)).map((entry) => entry.action)).toContain('wallet.transaction_deleted');
    expect(await recalculateWallet(admin, userId)).toEqual({ storedCents: 700, derivedCents: 700 });
  });

  it('succeeds once for concurrent requests', async () => {
    const { userId } = await makeUser();
    const { transferId } = await give(userId, 5_000);
    await give(userId, 20_000);
    const { values, codes } = await settle(Array.from({ length: 8 }, () => deleteTransaction(admin, transferId)));
    expect(values).toHaveLength(1);
    expect(codes).toEqual(Array.from({ length: 7 }, () => 'not_found'));
    expect((await settle([deleteTransaction(admin, transferId)])).codes).toEqual(['not_found']);
    expect(await getWalletBalance(userId)).toBe(20_000);
    const deleted = (await auditOf(userId)).filter((entry) => entry.action === 'wallet.transaction_deleted');
    expect(deleted).toHaveLength(1);
  });

  it('is refused with a reason when the money is spent, and changes nothing', async () => {
    const { buyer } = await makeOrder(4_000, 500);
    const [credit] = (await linesOf(buyer.userId)).filter((line) => line.type === 'credit');
    const before = await auditOf(buyer.userId);
    await expect(deleteTransaction(admin, credit?.id ?? '')).rejects.toMatchObject({
      code: 'conflict',
      message: 'The buyer has spent this money: the wallet holds $5.00 of the $45.00. Nothing was changed.',
    });
    expect(await getWalletBalance(buyer.userId)).toBe(500);
    expect(await linesOf(buyer.userId)).toHaveLength(2);
    expect(await auditOf(buyer.userId)).toEqual(before);
  });

  it('is refused for payments and refunds of orders', async () => {
    const { id, buyer } = await makeOrder(4_000, 4_000);
    await updateOrder(admin, id, { status: 'Refunded' });
    await updateOrder(admin, id, { status: 'Processing' });
    const ofOrder = (await linesOf(buyer.userId)).filter((line) => line.orderId === id);
    expect(ofOrder).toHaveLength(3);
    for (const line of ofOrder) {
      await expect(deleteTransaction(admin, line.id)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`order #${id}`),
      });
    }
    expect(await getWalletBalance(buyer.userId)).toBe(4_000);
  });

  it('concurrent with an order for the same money: one of them succeeds', async () => {
    for (let round = 0; round < 6; round += 1) {
      const buyer = await makeUser();
      const { transferId } = await give(buyer.userId, 3_000);
      const siteId = await makeSite((await makeUser('Seller')).userId, 3_000);
      const projectId = await makeProject(buyer);
      const { values, codes } = await settle<unknown>([
        createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] }),
        deleteTransaction(admin, transferId),
      ]);
      expect(values).toHaveLength(1);
      expect(['insufficient_funds', 'conflict']).toContain(codes[0]);
      expect(await getWalletBalance(buyer.userId)).toBe(0);
    }
  });

  it('suspends a paid top-up, because the provider still holds its money', async () => {
    const { userId } = await makeUser();
    const before = await suspenseCents();
    const { transferId } = await payIn(userId, 6_000);
    await deleteTransaction(admin, transferId);
    expect(await getWalletBalance(userId)).toBe(0);
    expect((await suspenseCents()) - before).toBe(6_000);
  });

  it('is refused for a top-up that the provider reversed', async () => {
    const { userId } = await makeUser();
    for (const status of ['refunded', 'disputed'] as const) {
      const { transferId, topupId } = await payIn(userId, 1_000);
      await db().update(topups).set({ status }).where(eq(topups.id, topupId));
      await expect(deleteTransaction(admin, transferId)).rejects.toMatchObject({ code: 'conflict' });
    }
    expect(await getWalletBalance(userId)).toBe(2_000);
  });

  it('is refused for counter-entries, pending top-ups and unknown ids', async () => {
    const { userId } = await makeUser();
    const { transferId } = await give(userId, 300);
    await deleteTransaction(admin, transferId);
    const [counter] = await db().select().from(transfers).where(eq(transfers.reversesId, transferId));
    const { topupId } = await payIn(userId, 400);
    await db().update(topups).set({ status: 'pending', paymentReference: null }).where(eq(topups.id, topupId));
    const { codes } = await settle([
      deleteTransaction(admin, counter?.id ?? ''),
      deleteTransaction(admin, topupId),
      deleteTransaction(admin, 'unknown'),
    ]);
    expect(codes).toEqual(['conflict', 'conflict', 'not_found']);
    await db()
      .update(topups)
      .set({ status: 'paid', paymentReference: `pi_${topupId}` })
      .where(eq(topups.id, topupId));
  });
});

describe('the lists', () => {
  it("contain every user's transactions, searchable by name and field, in pages", async () => {
    const buyer = await makeUser('User', { name: 'Ada Byron-Kong' });
    for (const cents of [101, 202, 303]) await give(buyer.userId, cents, null, `Gift ${cents}`);
    const list = (q: string, limit = 10, offset = 0) => listAllTransactions({ q, limit, offset });
    expect((await list('byron-k')).rows.map((line) => line.amountCents)).toEqual([303, 202, 101]);
    expect(await list('BYRON', 2, 2)).toMatchObject({
      total: 3,
      rows: [{ amountCents: 101, userName: 'Ada Byron-Kong' }],
    });
    expect((await list('gift 202')).total).toBe(1);
    const everything = await list('', 5_000);
    expect(everything.rows).toHaveLength(everything.total);
    expect(await countTransactions()).toEqual({ total: everything.total, isCapped: false });
    expect((await list('', 2)).rows.map((line) => line.amountCents)).toEqual([303, 202]);
    const [view] = everything.rows.map(adminTransactionView);
    expect(view).toMatchObject({
      user_id: buyer.userId,
      user_email: buyer.email,
      kind: 'manual_topup',
      undeletable_reason: null,
    });
  });

  it('return the same rows in batches of any size, with and without a filter', async () => {
    const [giver, taker] = [await makeUser('User', { name: 'Ada Piecewise' }), await makeUser()];
    for (let cents = 1; cents <= 12; cents += 1) await give((cents % 3 === 0 ? taker : giver).userId, cents);
    for (const filter of [{ q: '' }, { q: 'piecewise' }, { q: '', userId: taker.userId }]) {
      const whole = (await listAllTransactions({ ...filter, limit: 5_000, offset: 0 })).rows;
      expect(await countFilteredTransactions(filter)).toEqual({ total: whole.length, isCapped: false });
      for (const batchSize of [1, 2, 5, 5_000]) {
        for (const offset of [0, 3]) {
          const rows: AdminTransactionRow[] = [];
          for await (const piece of streamTransactions(filter, { offset, batchSize })) rows.push(...piece);
          expect(rows).toEqual(whole.slice(offset));
        }
      }
    }
  });

  it('are complete without a limit, because callers sum them, and paginated otherwise', () => {
    expect(adminTransactionsQuery.parse({ all: '1' }).limit).toBeNull();
    expect(adminTransactionsQuery.parse({ all: '1', limit: '20' }).limit).toBe(20);
    expect(adminTransactionsQuery.parse({}).limit).toBe(1_000);
    expect(adminTransactionsQuery.safeParse({ limit: '5001' }).success).toBe(false);
  });

  it('sort users by name or balance', async () => {
    const rich = await makeUser('User', { name: 'Zeta Rich' });
    const poor = await makeUser('User', { name: 'Zeta Poor' });
    await makeUser('User', { name: 'Zeta Gone', deletedAt: new Date() });
    await give(rich.userId, 900_000);
    const list = (sort?: Parameters<typeof listWalletUsers>[1]) =>
      listWalletUsers({ q: 'zeta', limit: 10, offset: 0 }, sort);
    expect(await list()).toMatchObject({
      total: 2,
      rows: [
        { id: poor.userId, balanceCents: 0 },
        { id: rich.userId, balanceCents: 900_000 },
      ],
    });
    expect((await list({ key: 'balance', order: 'desc' })).rows[0]?.id).toBe(rich.userId);
  });
});

describe('recalculation', () => {
  it('finds no difference during concurrent transfers', async () => {
    const { userId } = await makeUser();
    await give(userId, 1);
    const moves = Array.from({ length: 20 }, () => give(userId, 5));
    const checks = await Promise.all(Array.from({ length: 20 }, () => recalculateWallet(admin, userId)));
    await Promise.all(moves);
    expect(checks.filter((check) => check.storedCents !== check.derivedCents)).toEqual([]);
  });
});
