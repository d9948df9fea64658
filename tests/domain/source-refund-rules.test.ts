import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { approvals } from '@/db/schema/approvals';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { notices } from '@/db/schema/notices';
import { payouts } from '@/db/schema/payouts';
import { settings } from '@/db/schema/settings';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { approve, reject } from '@/lib/approvals/decide';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import { reverseTestCredits } from '@/lib/payments/reversals/reverse-test-credits';
import { approveRefund, createRefund } from '@/lib/payments/reversals/source-refunds/create';
import { listRefundableTopups } from '@/lib/payments/reversals/source-refunds/queries';
import { declineRefund, requestRefund, withdrawRefund } from '@/lib/payments/reversals/source-refunds/request';
import { retryRefund } from '@/lib/payments/reversals/source-refunds/send';
import { approvePayout } from '@/lib/payouts/approve';
import { markPayoutPaid } from '@/lib/payouts/mark';
import { getAvailableCents, requestPayout } from '@/lib/payouts/request';
import { deleteTransaction } from '@/lib/wallet/delete-transaction';
import { createManualTopup } from '@/lib/wallet/manual-topup';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { makePayableSeller } from '@/tests/factories/make-payout';
import { makePlacement } from '@/tests/factories/make-placement';
import {
  makePaidTopup,
  makeSourceRefund,
  refundEvidence,
  refundRow,
  report,
} from '@/tests/factories/make-source-refund';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { expectSoundBooks, keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { settle } from '@/tests/setup/settle';

// No payment provider is configured: a started refund waits, and its answers are reported by the tests.

const limitCents = 10_000;
const conflict = { code: 'conflict' };
const forbidden = { code: 'forbidden' };
const notFound = { code: 'not_found' };
let buyer: Actor;
let staff: Actor;
let second: Actor;

beforeEach(async () => {
  await db().update(users).set({ status: 'Suspended' });
  await db()
    .insert(settings)
    .values({ key: 'approvals', value: { limitCents } })
    .onConflictDoUpdate({ target: settings.key, set: { value: { limitCents } } });
  buyer = await makeUser();
  staff = await makeStaff('ManageWallets');
  second = await makeStaff('ManageWallets');
});
keepSoundBooks();

const ask = (topupId: string, amountCents = 4_000, by = buyer, key: string | null = null) =>
  requestRefund(by, { topupId, amountCents, reason: 'No longer needed' }, key);
const create = (topupId: string, amountCents: number, by = staff, key: string | null = null) =>
  createRefund(by, { topupId, amountCents, reason: 'Agreed by phone' }, key);
const balance = (by = buyer) => getWalletBalance(by.userId);
const actionsOf = async (entityId: string) =>
  (await db().select().from(auditLogs).where(eq(auditLogs.entityId, entityId)).orderBy(auditLogs.id)).map(
    ({ action }) => action,
  );

describe('a request of a buyer', () => {
  it('moves no money, reaches staff, and can be withdrawn until it is approved', async () => {
    const topupId = await makePaidTopup(buyer);
    const { id } = await ask(topupId);
    expect(await balance()).toBe(10_000);
    const told = await db().select().from(notices).where(eq(notices.userId, staff.userId));
    expect(told).toMatchObject([{ kind: 'refund.requested', subject: '$40.00' }]);
    const sent = await db().select().from(mails).where(eq(mails.recipient, staff.email));
    expect(sent.map(({ subject }) => subject)).toEqual(['A refund of $40.00 was requested']);
    await expect(ask(topupId, 1_000)).rejects.toMatchObject(conflict);
    await expect(create(topupId, 1_000)).rejects.toMatchObject(conflict);
    await withdrawRefund(buyer, id);
    expect(await actionsOf(id)).toEqual(['source_refund.requested', 'source_refund.withdrawn']);
    const again = await ask(topupId);
    await approveRefund(staff, again.id);
    expect(await balance()).toBe(6_000);
    await expect(withdrawRefund(buyer, again.id)).rejects.toMatchObject(conflict);
    await expect(declineRefund(staff, again.id, { reason: 'Too late' })).rejects.toMatchObject(conflict);
  });

  it('that is declined leaves the money where it is and tells the reason', async () => {
    const { id } = await ask(await makePaidTopup(buyer));
    await declineRefund(staff, id, { reason: 'The offer excludes it.' });
    expect(await refundRow(id)).toMatchObject({ state: 'declined', money: 'none', answer: 'The offer excludes it.' });
    expect(await balance()).toBe(10_000);
    const sent = await db().select().from(mails).where(eq(mails.recipient, buyer.email));
    expect(sent.map(({ subject }) => subject)).toEqual(['Your refund was declined']);
  });

  it('is made once with one key, and refused for another request with it', async () => {
    const topupId = await makePaidTopup(buyer);
    const made = await Promise.all(Array.from({ length: 8 }, () => ask(topupId, 4_000, buyer, 'key')));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    await expect(ask(topupId, 3_000, buyer, 'key')).rejects.toMatchObject(conflict);
  });

  it('is refused for the top-up of another user, an unpaid one, and more than the wallet holds', async () => {
    const topupId = await makePaidTopup(buyer);
    await expect(ask(topupId, 1_000, await makeUser())).rejects.toMatchObject(notFound);
    await expect(ask(topupId, 10_001)).rejects.toMatchObject({ code: 'invalid_input' });
    await spendMoney(buyer, 8_000);
    await expect(ask(topupId, 2_001)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await listRefundableTopups(buyer.userId)).toMatchObject([{ topupId, refundableCents: 2_000 }]);
  });

  it('of another user cannot be withdrawn', async () => {
    const { id } = await ask(await makePaidTopup(buyer));
    await expect(withdrawRefund(await makeUser(), id)).rejects.toMatchObject(notFound);
  });

  it('is refused while the flag is off; earlier ones are still decided', async () => {
    const topupId = await makePaidTopup(buyer);
    const { id } = await ask(topupId);
    await db().insert(settings).values({ key: 'flag.refunds-to-source', value: false });
    await expect(ask(await makePaidTopup(buyer))).rejects.toMatchObject({ code: 'not_configured' });
    await expect(create(await makePaidTopup(buyer), 1_000)).rejects.toMatchObject({ code: 'not_configured' });
    await approveRefund(staff, id);
    expect(await refundRow(id)).toMatchObject({ state: 'processing' });
    await db().delete(settings).where(eq(settings.key, 'flag.refunds-to-source'));
  });
});

describe('staff', () => {
  it('cannot refund to themselves, nor approve or decline their own request', async () => {
    const topupId = await makePaidTopup(staff);
    await expect(create(topupId, 1_000)).rejects.toMatchObject(forbidden);
    const { id } = await ask(topupId, 1_000, staff);
    await expect(approveRefund(staff, id)).rejects.toMatchObject(forbidden);
    await expect(declineRefund(staff, id, { reason: 'Mine' })).rejects.toMatchObject(forbidden);
    expect(await balance(staff)).toBe(10_000);
    await approveRefund(second, id);
    expect(await balance(staff)).toBe(9_000);
  });

  it('need a second person above the limit, also for several refunds of a day', async () => {
    const topupIds = [await makePaidTopup(buyer), await makePaidTopup(buyer)];
    await create(topupIds[0] ?? '', 7_000);
    const { approvalId, refundId } = await create(topupIds[1] ?? '', 4_000, staff, 'key');
    expect({ approvalId: typeof approvalId, refundId }).toEqual({ approvalId: 'string', refundId: null });
    expect((await create(topupIds[1] ?? '', 4_000, staff, 'key')).approvalId).toBe(approvalId);
    expect(await balance()).toBe(13_000);
    await expect(approve(staff, approvalId ?? '', approvalExecutors)).rejects.toMatchObject(forbidden);
    await approve(second, approvalId ?? '', approvalExecutors);
    expect(await balance()).toBe(9_000);
    const [made] = await db()
      .select()
      .from(sourceRefunds)
      .where(eq(sourceRefunds.topupId, topupIds[1] ?? ''));
    expect(made).toMatchObject({
      requestedBy: staff.userId,
      approvedBy: staff.userId,
      secondApprovedBy: second.userId,
    });
    expect((await create(topupIds[1] ?? '', 4_000, staff, 'key')).refundId).toBe(made?.id);
    // What a second person approved counts against neither, nor for the buyer.
    expect((await create(topupIds[1] ?? '', 3_000)).approvalId).toBeNull();
    expect((await create(await makePaidTopup(await makeUser()), 10_000, second)).approvalId).toBeNull();
  });

  it('cannot start a rejected refund again with its key, or one whose request was withdrawn meanwhile', async () => {
    const topupId = await makePaidTopup(buyer, { amountCents: 30_000, chargeAmountMinor: 30_000 });
    const rejected = await create(topupId, 12_000, staff, 'rejected');
    await reject(second, rejected.approvalId ?? '');
    await expect(create(topupId, 12_000, staff, 'rejected')).rejects.toMatchObject(conflict);
    const { id } = await ask(topupId, 12_000);
    const waiting = await approveRefund(staff, id);
    expect(waiting).toMatchObject({ refundId: id, approvalId: expect.any(String) });
    await withdrawRefund(buyer, id);
    await expect(approve(second, waiting.approvalId ?? '', approvalExecutors)).rejects.toMatchObject(conflict);
    expect(await db().$count(approvals, eq(approvals.state, 'pending'))).toBe(0);
    const declined = await ask(topupId, 12_000);
    await approveRefund(staff, declined.id);
    await declineRefund(second, declined.id, { reason: 'Use it for orders.' });
    expect(await db().$count(approvals, eq(approvals.state, 'pending'))).toBe(0);
    expect(await balance()).toBe(30_000);
  });

  it('are approved or withdrawn, never both, with both at once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const topupId = await makePaidTopup(buyer, { amountCents: 30_000, chargeAmountMinor: 30_000 });
      const { id } = await ask(topupId, 12_000);
      const { approvalId } = await approveRefund(staff, id);
      const { values, codes } = await settle<unknown>([
        approve(second, approvalId ?? '', approvalExecutors),
        withdrawRefund(buyer, id),
      ]);
      expect([values.length, ...codes]).toEqual([1, 'conflict']);
      expect(await db().$count(approvals, eq(approvals.state, 'pending'))).toBe(0);
    }
  });

  it('need a second person for a wallet that they credited alone, unless that credit was deleted', async () => {
    const topupId = await makePaidTopup(buyer);
    await spendMoney(buyer, 10_000);
    const credit = (by = staff) =>
      createManualTopup(by, { userId: buyer.userId, amountCents: 5_000, note: '', currency: 'USD' });
    const { transferId } = await credit();
    expect(await create(topupId, 1_000)).toMatchObject({ refundId: null, approvalId: expect.any(String) });
    const { id } = await ask(await makePaidTopup(buyer), 1_000);
    expect(await approveRefund(staff, id)).toMatchObject({ refundId: id, approvalId: expect.any(String) });
    // Another person is a second one, and without another person there is none to wait for.
    expect((await create(topupId, 1_000, second)).approvalId).toBeNull();
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, second.userId));
    expect((await create(topupId, 1_000)).approvalId).toBeNull();
    await db().update(users).set({ status: 'Active' }).where(eq(users.id, second.userId));
    expect(await create(topupId, 1_100)).toMatchObject({ approvalId: expect.any(String) });
    await deleteTransaction(second, transferId);
    expect((await create(topupId, 1_200)).approvalId).toBeNull();
  });

  it('refund suspended and deleted buyers, whose mail is sent only while they exist', async () => {
    for (const change of [{ status: 'Suspended' as const }, { deletedAt: new Date() }]) {
      const owner = await makeUser();
      const topupId = await makePaidTopup(owner);
      await db().update(users).set(change).where(eq(users.id, owner.userId));
      const { refundId } = await create(topupId, 4_000);
      await report(refundEvidence(await refundRow(refundId ?? ''), 'taken'));
      expect(await balance(owner)).toBe(6_000);
      const sent = await db().select().from(mails).where(eq(mails.recipient, owner.email));
      expect(sent).toHaveLength('deletedAt' in change ? 0 : 1);
    }
  });

  it('can retry only a refund in progress', async () => {
    const { refund } = await makeSourceRefund('processing');
    await retryRefund(staff, refund.id);
    expect((await refundRow(refund.id)).error).toContain('not set up');
    expect((await actionsOf(refund.id)).at(-1)).toBe('source_refund.retried');
    const { refund: ended } = await makeSourceRefund('succeeded');
    await expect(retryRefund(staff, ended.id)).rejects.toMatchObject(conflict);
  });
});

describe('the money', () => {
  it('of a buyer who owes is not refunded before the debt is paid', async () => {
    const [first, other] = [await makePaidTopup(buyer), await makePaidTopup(buyer)];
    await spendMoney(buyer, 15_000);
    await report({
      about: 'reversal',
      kind: 'dispute',
      reference: `dp_${first}`,
      paymentReference: `pi_${first}`,
      topupId: first,
      mode: 'test',
      amountMinor: 10_000,
      currency: 'USD',
      money: 'taken',
      outcome: 'lost',
    });
    expect(await getOwedCents(buyer.userId)).toBe(5_000);
    await expect(create(other, 1_000)).rejects.toMatchObject({ ...conflict, message: expect.stringContaining('owes') });
  });

  it('of a refund that the provider took is not taken again by a second report under our id', async () => {
    const { refund, buyer: owner } = await makeSourceRefund('succeeded');
    await report(refundEvidence(refund, 'taken'));
    expect(await balance(owner)).toBe(6_000);
    // Another refund that claims to be ours, e.g. made in the dashboard with copied metadata, is another debit.
    await report(refundEvidence(refund, 'taken', { reference: 're_copied', amountMinor: 1_000 }));
    expect(await balance(owner)).toBe(5_000);
    expect(await refundRow(refund.id)).toMatchObject({ state: 'succeeded', providerReference: `re_${refund.id}` });
  });

  it('of a refund with another amount at the provider returns, and the provider’s amount is booked', async () => {
    const { refund, buyer: owner } = await makeSourceRefund('processing');
    await report(refundEvidence(refund, 'taken', { amountMinor: 2_500 }));
    expect(await refundRow(refund.id)).toMatchObject({
      state: 'failed',
      money: 'returned',
      error: expect.stringContaining('$25.00 instead of $40.00'),
    });
    expect(await balance(owner)).toBe(7_500);
  });

  it('of parts in CNY adds up over refunds by us and in the dashboard, in any order', async () => {
    const topupId = await makePaidTopup(buyer, {
      provider: 'wechat',
      amountCents: 1_001,
      chargeAmountMinor: 7_163,
      chargeCurrency: 'CNY',
    });
    const { refundId } = await create(topupId, 334);
    const own = await refundRow(refundId ?? '');
    await report(refundEvidence(own, 'taken', { reference: 'dashboard', refundId: null, amountMinor: 2_387 }));
    await report(refundEvidence(own, 'taken'));
    const rest = await balance();
    const last = await create(topupId, rest);
    const final = await refundRow(last.refundId ?? '');
    expect((own.chargeMinor ?? 0) + 2_387 + (final.chargeMinor ?? 0)).toBe(7_163);
    await report(refundEvidence(final, 'taken'));
    expect(await balance()).toBe(0);
  });

  it('of a dispute of the whole payment while a refund is in progress is taken once', async () => {
    const { refund, buyer: owner } = await makeSourceRefund('processing');
    const dispute = refundEvidence(refund, 'taken', {
      kind: 'dispute',
      reference: 'dp_whole',
      refundId: null,
      amountMinor: 10_000,
    });
    await report(dispute);
    expect(await balance(owner)).toBe(0);
    expect(await getOwedCents(owner.userId)).toBe(0);
    await expectSoundBooks();
    // The provider refuses the refund: its part counts against the dispute.
    await report(refundEvidence(refund, 'returned'));
    expect(await balance(owner)).toBe(0);
    expect(await getOwedCents(owner.userId)).toBe(0);
    await expectSoundBooks();
    await report({ ...dispute, money: 'returned', outcome: 'won' });
    expect(await balance(owner)).toBe(10_000);
  });

  it('of test payments is not switched to live mode while a refund of them is in progress', async () => {
    await makeSourceRefund('processing');
    const go = () => db().transaction((tx) => reverseTestCredits(tx, staff, 'stripe', 1));
    await expect(go()).rejects.toMatchObject({ code: 'conflict' });
  });
});

it('a chargeback after a payout leaves the seller’s money alone and the debt of the buyer standing', async () => {
  const seller = await makePayableSeller(6_000);
  const topupId = await makePaidTopup(buyer);
  await spendMoney(buyer, 10_000);
  // The seller is paid out what an order of the same buyer earned.
  await makePlacement('closed', { buyer, seller, sellerCents: 4_000, marginCents: 1_000 });
  const payer = await makeStaff('ManagePayouts');
  const payout = await requestPayout(seller, {});
  expect(payout.amountCents).toBe(10_000);
  await approvePayout(payer, payout.id);
  await markPayoutPaid(payer, payout.id, { reference: 'TRX 1' });
  await report({
    about: 'reversal',
    kind: 'dispute',
    reference: `dp_${topupId}`,
    paymentReference: `pi_${topupId}`,
    topupId,
    mode: 'test',
    amountMinor: 10_000,
    currency: 'USD',
    money: 'taken',
    outcome: 'lost',
  });
  expect(await getOwedCents(buyer.userId)).toBe(10_000);
  expect(await getAvailableCents(seller.userId)).toBe(0);
  const [row] = await db().select().from(payouts).where(eq(payouts.id, payout.id));
  expect(row).toMatchObject({ state: 'paid', amountCents: 10_000 });
  await expectSoundBooks();
});
