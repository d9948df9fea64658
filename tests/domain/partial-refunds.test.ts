import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { transfers } from '@/db/schema/ledger';
import type { PlacementState } from '@/db/schema/placements';
import { exceedsApprovalLimit } from '@/lib/approvals/limit';
import { listInvoices } from '@/lib/invoices/queries';
import { getWalletBalance } from '@/lib/ledger/balance';
import { postTransfers } from '@/lib/ledger/post-transfer';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { adminOrderDetailsView } from '@/lib/orders/contract';
import { getProjectSpend } from '@/lib/orders/order/project-figures';
import { getNetPaidCents } from '@/lib/orders/order/queries';
import { updateOrder } from '@/lib/orders/order/update';
import { splitShare } from '@/lib/orders/placements/shares';
import { createSettlementTransfers } from '@/lib/orders/placements/transfers';
import { deleteTransaction } from '@/lib/wallet/delete-transaction';
import { getTotalWalletBalance, listAllTransactions, listWalletTransactions } from '@/lib/wallet/queries';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

type Options = Parameters<typeof makePlacement>[1];
type Case = [PlacementState, Options, number];

describe('what the buyer has paid for an order', () => {
  it.each<Case>([
    ['offered', {}, 1_000],
    ['declined', {}, 0],
    ['approved', {}, 1_000],
    ['taken_over', {}, 1_000],
    ['settled', { buyerPercent: 25 }, 750],
    ['settled', { buyerPercent: 25, isApproved: true }, 750],
    ['settled', { buyerPercent: 100 }, 0],
    // What is ripe stays with the seller.
    ['settled', { buyerPercent: 100, isApproved: true }, 240],
    ['lost', {}, 400],
  ])('with a placement that is %s %o is %i cents', async (state, options, expected) => {
    const { id } = await makePlacement(state, options);
    expect(await getNetPaidCents(db(), id)).toBe(expected);
  });
});

describe('a reversed refund by staff', () => {
  it.each<Case>([
    ['settled', { buyerPercent: 25, isApproved: true }, 750],
    ['settled', { buyerPercent: 25 }, 750],
    ['settled', { buyerPercent: 100 }, 1_000],
    ['settled', { buyerPercent: 100, isApproved: true }, 240],
    ['lost', {}, 400],
    ['declined', {}, 1_000],
    ['taken_over', {}, 1_000],
  ])('of an order whose placement is %s %o charges %i cents again', async (state, options, expected) => {
    const admin = await makeUser('Admin');
    const { id } = await makePlacement(state, options);
    const refunded = adminOrderDetailsView(await updateOrder(admin, id, { status: 'Refunded' }));
    expect(refunded).toMatchObject({ netPaidCents: 0, rechargeCents: expected });
    expect(await getNetPaidCents(db(), id)).toBe(0);
    const reopened = adminOrderDetailsView(await updateOrder(admin, id, { status: 'Live' }));
    expect(reopened).toMatchObject({ netPaidCents: expected, rechargeCents: 0 });
    expect(await getNetPaidCents(db(), id)).toBe(expected);
    await updateOrder(admin, id, { status: 'Refunded' });
    expect(await getNetPaidCents(db(), id)).toBe(0);
    await expectSoundBooks();
  });
});

describe('what a project has cost', () => {
  it('counts payments and refunds of wallets, before and after the roll-up', async () => {
    const { buyer, projectId } = await makePlacement('approved');
    await makePlacement('settled', { buyer, projectId, buyerPercent: 25, isApproved: true });
    await makePlacement('settled', { buyer, projectId, buyerPercent: 10 });
    await makePlacement('declined', { buyer, projectId });
    const expected = { spentCents: 4_000 - 250 - 100 - 1_000, refundedCents: 250 + 100 + 1_000, unlistedCents: 0 };
    expect(await getProjectSpend(projectId)).toEqual(expected);
    await rollUpLedger();
    expect(await getProjectSpend(projectId)).toEqual(expected);
  });
});

describe('the wallet transactions', () => {
  const admin = (changes: { q?: string; userId?: string } = {}) =>
    listAllTransactions({ q: '', limit: 50, ...changes });

  it('of a settlement after the approval show one credit, and nothing of the seller’s', async () => {
    const { id, buyer, seller } = await makePlacement('settled', { buyerPercent: 25, isApproved: true });
    const { rows } = await listWalletTransactions(buyer.userId, { limit: 50 });
    expect(rows.map(({ type, amountCents, note }) => [type, amountCents, note.split(':')[0]])).toEqual([
      ['credit', 250, `Partial refund of order #${id}`],
      ['debit', 1_000, expect.any(String)],
      ['credit', 1_000, 'Test money'],
    ]);
    expect((await listWalletTransactions(seller.userId, { limit: 50 })).rows).toEqual([]);
    expect((await admin({ userId: seller.userId })).rows).toEqual([]);
    expect((await admin({ userId: buyer.userId })).rows.map(({ id: line }) => line)).toEqual(
      rows.map(({ id: line }) => line),
    );
  });

  it('of all users list and count wallets only, also for a search', async () => {
    const before = await admin();
    const { buyer, seller } = await makePlacement('approved');
    const after = await admin();
    expect(after.total - before.total).toBe(2);
    expect(after.rows.slice(0, 2).map(({ userId }) => userId)).toEqual([buyer.userId, buyer.userId]);
    for (const q of ['Completed', 'credit', 'debit', seller.email, seller.name, 'Seller'])
      expect((await admin({ q })).rows.filter(({ userId }) => userId === seller.userId)).toEqual([]);
  });

  it('of a settlement cannot be deleted by staff, and those of a seller are not found', async () => {
    const staff = await makeUser('Admin');
    const { id, buyer, seller } = await makePlacement('settled', { buyerPercent: 25, isApproved: true });
    const [refund] = (await admin({ userId: buyer.userId })).rows;
    await expect(deleteTransaction(staff, refund?.id ?? '')).rejects.toMatchObject({
      code: 'conflict',
      message: `This is a partial refund of order #${id} by a settlement, which cannot be reversed.`,
    });
    const [earning] = await db()
      .select({ id: transfers.id })
      .from(transfers)
      .where(and(eq(transfers.orderId, id), eq(transfers.kind, 'earning')));
    await expect(deleteTransaction(staff, earning?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
    expect(await getWalletBalance(seller.userId)).toBe(0);
  });

  it('are found by the beginning of a partial refund’s note', async () => {
    const { id, buyer } = await makePlacement('settled', { buyerPercent: 25 });
    for (const q of ['partial refund', 'Wallet\nPartial', `partial refund of order #${id}`, 'refund of order']) {
      const { rows } = await listWalletTransactions(buyer.userId, { q, limit: 50 });
      expect(rows.some(({ amountCents }) => amountCents === 250)).toBe(true);
    }
    const full = await makePlacement('declined', { buyer });
    const { rows } = await listWalletTransactions(buyer.userId, { q: 'partial refund', limit: 50 });
    expect(rows.map(({ orderId }) => orderId)).toEqual([id]);
    expect((await listWalletTransactions(buyer.userId, { q: 'refund of order', limit: 50 })).rows[0]?.orderId).toBe(
      full.id,
    );
  });

  it('add up to the stored balances', async () => {
    const before = await getTotalWalletBalance();
    await makePlacement('settled', { buyerPercent: 25, isApproved: true });
    await makePlacement('approved');
    expect((await getTotalWalletBalance()) - before).toBe(250);
    await rollUpLedger();
    expect((await getTotalWalletBalance()) - before).toBe(250);
  });
});

describe('the documents of an order', () => {
  it('are an invoice and a partial credit note, and none for the shares of seller and platform', async () => {
    const { id, buyer } = await makePlacement('settled', { buyerPercent: 25, isApproved: true });
    const { invoices } = await listInvoices(buyer, id);
    const [invoice, note] = invoices;
    expect(invoices).toHaveLength(2);
    expect(invoice).toMatchObject({
      ...{ kind: 'invoice', totalCents: 1_000, creditedCents: 250, counterparts: [{ number: note?.number }] },
    });
    expect(note).toMatchObject({
      ...{ kind: 'credit_note', totalCents: 250, counterparts: [{ number: invoice?.number }] },
    });
    expect(note?.line.details).toContain('Partial refund of $10.00');
  });

  it('of an approved placement are one invoice', async () => {
    const { id, buyer } = await makePlacement('approved');
    expect((await listInvoices(buyer, id)).invoices.map(({ kind }) => kind)).toEqual(['invoice']);
  });
});

describe('the approval limit', () => {
  it('counts what a staff member returned of reserved money and after an approval', async () => {
    const staff = await makeUser('Admin');
    const limitCents = 1_000_000;
    const reaches = (userId: string, cents: number) =>
      db().transaction((tx) => exceedsApprovalLimit(tx, staff, 'order_refund', cents, userId));
    const buyer = await makeUser();
    for (const [isApproved, state] of [
      [false, 'accepted'],
      [true, 'approved'],
    ] as const) {
      const { id, seller } = await makePlacement(state, { buyer, sellerCents: 600_000, marginCents: 100_000 });
      const shares = { sellerId: seller.userId, sellerCents: 600_000, marginCents: 100_000 };
      const { sellerReturnedCents, marginReturnedCents } = splitShare(shares, 50);
      const placement = {
        ...shares,
        sellerReturnedCents,
        marginReturnedCents,
        approvedAt: isApproved ? new Date() : null,
      };
      const order = { id, accountId: buyer.userId, website: 'site.example', refundCount: 0 };
      await postTransfers(db(), createSettlementTransfers(order, placement, { actorId: staff.userId }));
    }
    expect(await reaches(buyer.userId, limitCents - 700_000)).toBe(false);
    expect(await reaches(buyer.userId, limitCents - 700_000 + 1)).toBe(true);
    expect(await reaches((await makeUser()).userId, limitCents)).toBe(false);
  });
});
