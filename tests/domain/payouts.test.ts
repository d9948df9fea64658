import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { payoutBatches, payoutStates, payouts } from '@/db/schema/payouts';
import { settings } from '@/db/schema/settings';
import { users } from '@/db/schema/users';
import { approve } from '@/lib/approvals/decide';
import { newId } from '@/lib/ids';
import { approvePayout } from '@/lib/payouts/approve';
import { adminPayoutsQuery, adminPayoutView, payoutView } from '@/lib/payouts/contract';
import { markPayoutFailed, markPayoutPaid } from '@/lib/payouts/mark';
import { getPayout, getSellerPayout, listPayouts, listSellerPayouts } from '@/lib/payouts/queries';
import { getAvailableCents, requestPayout, withdrawPayout } from '@/lib/payouts/request';
import { getPayoutRules, payoutRulesInput, savePayoutRules } from '@/lib/payouts/rules';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { propertyRuns } from '@/scripts/testing/tier';
import { bankAccount, makePayableSeller, makePayout, makePayoutMethod } from '@/tests/factories/make-payout';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks, keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { returnByTwo } from '@/tests/setup/return-payout';

const conflict = { code: 'conflict' };
const setRules = (value: object) =>
  db()
    .insert(settings)
    .values({ key: 'payout-rules', value })
    .onConflictDoUpdate({ target: settings.key, set: { value } });

beforeEach(async () => {
  await db().delete(settings);
});
keepSoundBooks();

describe('a seller requests a payout', () => {
  it('of all that is available, which leaves the balance at once', async () => {
    const seller = await makePayableSeller(12_345);
    const payout = await requestPayout(seller, {});
    expect(payout).toMatchObject({ amountCents: 12_345, feeCents: 0, state: 'requested', isScheduled: false });
    expect(await getAvailableCents(seller.userId)).toBe(0);
  });

  it('of a part, with the fee of the method', async () => {
    await setRules({ feeCents: { bank: 150, paypal: 0, agreement: 0 } });
    const seller = await makePayableSeller(12_000);
    expect(await requestPayout(seller, { amountCents: 7_000 })).toMatchObject({ amountCents: 7_000, feeCents: 150 });
    expect(await getAvailableCents(seller.userId)).toBe(5_000);
  });

  it('within the minimum, the balance and the fee only', async () => {
    const seller = await makePayableSeller(6_000);
    await expect(requestPayout(seller, { amountCents: 6_001 })).rejects.toThrow('You can request at most $60.00.');
    await expect(requestPayout(seller, { amountCents: 4_999 })).rejects.toThrow('The minimum of a payout is $50.00.');
    await setRules({ minimumCents: 0, feeCents: { bank: 600, paypal: 0, agreement: 0 } });
    await expect(requestPayout(seller, { amountCents: 600 })).rejects.toThrow('above the fee of $6.00');
    expect(await getAvailableCents(seller.userId)).toBe(6_000);
  });

  it('of exactly the minimum, and of one cent above the fee', async () => {
    const seller = await makePayableSeller(5_000);
    expect(await requestPayout(seller, { amountCents: 5_000 })).toMatchObject({ amountCents: 5_000 });
    await setRules({ minimumCents: 0, feeCents: { bank: 600, paypal: 0, agreement: 0 } });
    const other = await makePayableSeller(5_000);
    expect(await requestPayout(other, { amountCents: 601 })).toMatchObject({ amountCents: 601, feeCents: 600 });
  });

  it('with a method only', async () => {
    const { seller } = await makePlacement('closed', { sellerCents: 9_000 });
    await expect(requestPayout(seller, {})).rejects.toThrow('Add a payout method first.');
  });

  it('once until it is sent or over', async () => {
    const seller = await makePayableSeller(12_000);
    const { id } = await requestPayout(seller, { amountCents: 6_000 });
    await expect(requestPayout(seller, { amountCents: 6_000 })).rejects.toMatchObject(conflict);
    await withdrawPayout(seller, id);
    await requestPayout(seller, { amountCents: 6_000 });
  });

  it('once for a repeated key, and never another payout for the same key', async () => {
    const seller = await makePayableSeller(12_000);
    const request = () => requestPayout(seller, { amountCents: 6_000, idempotencyKey: 'one' });
    const first = await request();
    expect((await request()).id).toBe(first.id);
    await expect(requestPayout(seller, { amountCents: 5_000, idempotencyKey: 'one' })).rejects.toMatchObject(conflict);
    expect(await getAvailableCents(seller.userId)).toBe(6_000);
  });

  it('two at once overdraw nothing', async () => {
    const seller = await makePayableSeller(9_000);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, () => requestPayout(seller, { amountCents: 6_000 })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await getAvailableCents(seller.userId)).toBe(3_000);
  });

  it('not while payouts are turned off', async () => {
    const seller = await makePayableSeller();
    await db().insert(settings).values({ key: 'flag.payouts', value: false });
    await expect(requestPayout(seller, {})).rejects.toMatchObject({ code: 'not_configured' });
  });
});

describe('a seller withdraws a payout', () => {
  it('before its approval only, and own ones only', async () => {
    const { payout, seller } = await makePayout('requested');
    await expect(withdrawPayout(await makeUser('Seller'), payout.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await withdrawPayout(seller, payout.id)).toMatchObject({ state: 'withdrawn' });
    expect(await getAvailableCents(seller.userId)).toBe(10_000);
    await expect(withdrawPayout(seller, payout.id)).rejects.toMatchObject(conflict);
    const approved = await makePayout('approved');
    await expect(withdrawPayout(approved.seller, approved.payout.id)).rejects.toThrow('was approved');
  });

  it('or staff approve it: one of both at once', async () => {
    const { payout, seller, staff } = await makePayout('requested');
    const outcomes = await Promise.allSettled([withdrawPayout(seller, payout.id), approvePayout(staff, payout.id)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('staff approve a payout', () => {
  it('not their own, not twice, and not with a stale version', async () => {
    const { payout, seller, staff } = await makePayout('requested');
    await expect(approvePayout(seller, payout.id)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(approvePayout(staff, payout.id, 7)).rejects.toMatchObject(conflict);
    expect(await approvePayout(staff, payout.id, payout.version)).toMatchObject({ state: 'approved' });
    await expect(approvePayout(staff, payout.id)).rejects.toMatchObject(conflict);
    await expect(approvePayout(staff, newId())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of exactly the limit alone', async () => {
    const { payout, staff } = await makePayout('requested', { amountCents: 100_000 });
    expect(await approvePayout(staff, payout.id)).toMatchObject({ state: 'approved', firstApprovedBy: null });
  });

  it('above the limit with two persons', async () => {
    const { payout, staff } = await makePayout('requested', { amountCents: 100_001 });
    expect(await approvePayout(staff, payout.id)).toMatchObject({ state: 'requested', firstApprovedBy: staff.userId });
    await expect(approvePayout(staff, payout.id)).rejects.toThrow('needs the approval of a second person');
    const second = await makeStaff('ManagePayouts');
    expect(await approvePayout(second, payout.id)).toMatchObject({ state: 'approved', approvedBy: second.userId });
    expect(await getPayout(payout.id)).toMatchObject({ firstApproverEmail: staff.email, approverEmail: second.email });
  });

  it('after the method has rested', async () => {
    const { payout, seller, staff } = await makePayout('requested');
    await withdrawPayout(seller, payout.id);
    await makePayoutMethod(seller.userId, 'bank', { usableAt: new Date('2100-01-01T08:30:00Z') });
    const { id } = await requestPayout(seller, {});
    await expect(approvePayout(staff, id)).rejects.toThrow('after 2100-01-01 08:30 UTC');
    expect(await getPayout(id)).toMatchObject({ state: 'requested' });
  });
});

describe('a request to a method that the seller replaced or removed', () => {
  it('is not approved, and can be withdrawn or declined', async () => {
    const { payout, seller, staff } = await makePayout('requested');
    await makePayoutMethod(seller.userId);
    await expect(approvePayout(staff, payout.id)).rejects.toThrow('replaced or removed');
    expect(adminPayoutView(await getPayout(payout.id)).risks).toContain('method_replaced');
    await withdrawPayout(seller, payout.id);
    const next = await requestPayout(seller, {});
    expect(await approvePayout(staff, next.id)).toMatchObject({ state: 'approved' });
  });

  it('is still paid if it was approved before', async () => {
    const { payout, seller, staff } = await makePayout('approved');
    await makePayoutMethod(seller.userId);
    expect(await markPayoutPaid(staff, payout.id, { reference: '' })).toMatchObject({ state: 'paid' });
  });
});

describe('staff mark a payout', () => {
  it('as paid with a reference after its approval, which the seller is told', async () => {
    const { payout, seller, staff } = await makePayout('approved');
    await expect(markPayoutPaid(seller, payout.id, { reference: '' })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await markPayoutPaid(staff, payout.id, { reference: 'TRX 7' })).toMatchObject({
      state: 'paid',
      reference: 'TRX 7',
    });
    await expect(markPayoutPaid(staff, payout.id, { reference: 'TRX 7' })).rejects.toMatchObject(conflict);
    const sent = await db().select().from(mails).where(eq(mails.recipient, seller.email));
    expect(sent.map(({ subject }) => subject)).toEqual(['Your payout was sent']);
    const requested = await makePayout('requested');
    await expect(markPayoutPaid(staff, requested.payout.id, { reference: '' })).rejects.toThrow('Approve this payout');
  });

  it('as declined or failed before it is sent: the amount and the fee are in the balance again', async () => {
    await setRules({ feeCents: { bank: 250, paypal: 0, agreement: 0 } });
    for (const state of ['requested', 'approved'] as const) {
      const { payout, seller, staff } = await makePayout(state);
      const after = await markPayoutFailed(staff, payout.id, { reason: 'Account closed' });
      expect(after).toMatchObject({ state: 'failed', reason: 'Account closed' });
      expect(await getAvailableCents(seller.userId)).toBe(10_000);
      await expect(markPayoutFailed(staff, payout.id, { reason: 'Again' })).rejects.toMatchObject(conflict);
      await requestPayout(seller, {});
    }
  });

  it('not while PayPal has it', async () => {
    const { payout, staff } = await makePayout('sent', { kind: 'paypal' });
    const batchId = newId();
    await db()
      .insert(payoutBatches)
      .values({ id: batchId, kind: 'paypal', payoutCount: 1, totalCents: 10_000, nextActionAt: new Date() });
    await db().update(payouts).set({ batchId }).where(eq(payouts.id, payout.id));
    await expect(markPayoutPaid(staff, payout.id, { reference: '' })).rejects.toThrow('sent to PayPal');
    await expect(markPayoutFailed(staff, payout.id, { reason: 'No' })).rejects.toThrow('sent to PayPal');
    // A batch that PayPal never accepted and that is not tried again.
    await db().update(payoutBatches).set({ nextActionAt: null }).where(eq(payoutBatches.id, batchId));
    await returnByTwo(staff, await makeStaff('ManagePayouts'), payout.id);
    expect((await getPayout(payout.id)).state).toBe('failed');
  });

  it('in one way only, when several do it at once', async () => {
    const { payout, seller, staff } = await makePayout('approved');
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 3 }, () => markPayoutPaid(staff, payout.id, { reference: 'A' })),
      ...Array.from({ length: 3 }, () => markPayoutFailed(staff, payout.id, { reason: 'B' })),
    ]);
    const { state } = await getPayout(payout.id);
    expect(await getAvailableCents(seller.userId)).toBe(state === 'paid' ? 0 : 10_000);
    expect(['paid', 'failed']).toContain(state);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('payouts are listed', () => {
  it('for the seller without the persons who approved them', async () => {
    const { payout, seller } = await makePayout('paid');
    const { rows, total } = await listSellerPayouts(seller.userId, { limit: 10 });
    expect(total).toBe(1);
    const view = rows.map(payoutView)[0];
    expect(view).toMatchObject({ id: payout.id, state: 'paid', lastFour: '1234', reference: 'REF-1' });
    expect(Object.keys(view ?? {})).not.toContain('approvedBy');
    await expect(getSellerPayout((await makeUser('Seller')).userId, payout.id)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('for staff by state and seller, with the reasons to look at them', async () => {
    const query = (values: object) => listPayouts(adminPayoutsQuery.parse(values));
    const { payout, seller, staff } = await makePayout('paid');
    await makePayableSeller(50_000, { seller });
    await makePlacement('disputed', { seller });
    const next = await requestPayout(seller, {});
    const found = await query({ q: seller.email.toUpperCase() });
    expect(found.rows.map(adminPayoutView).map(({ id, risks }) => [id, risks])).toEqual([
      [next.id, ['more_than_usual', 'open_dispute']],
      [payout.id, ['first_payout', 'open_dispute']],
    ]);
    await approvePayout(staff, next.id);
    expect((await query({ q: seller.email, state: 'approved' })).rows.map(({ id }) => id)).toEqual([next.id]);
    expect((await query({ q: next.id })).total).toBe(1);
    expect((await query({ q: '%' })).total).toBe(0);
  });
});

describe('the rules of payouts', () => {
  it('are saved, audited and refused with a stale version', async () => {
    const admin = await makeStaff('ManagePayouts');
    const { rules, version } = await getPayoutRules();
    const input = payoutRulesInput.parse({ ...rules, minimumCents: 1_000, version });
    expect(await savePayoutRules(admin, input)).toBeNull();
    expect((await getPayoutRules()).rules.minimumCents).toBe(1_000);
    await expect(savePayoutRules(admin, input)).rejects.toMatchObject(conflict);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, admin.userId));
    expect(lines.map(({ action }) => action)).toEqual(['payout_rules.set']);
  });

  it('are audited with what changed, and without account numbers', async () => {
    const admin = await makeStaff('ManagePayouts');
    const save = async (change: object) => {
      const { rules, version } = await getPayoutRules();
      return savePayoutRules(admin, payoutRulesInput.parse({ ...rules, ...change, version }));
    };
    await save({ payer: bankAccount, feeCents: { bank: 0, paypal: 5, agreement: 0 } });
    await save({ minimumCents: 700 });
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, admin.userId)).orderBy(auditLogs.id);
    expect(lines.map(({ details }) => details)).toEqual([
      'The rules of payouts were saved; changed: paypalFeeCents, payer.',
      'The rules of payouts were saved; changed: minimumCents.',
    ]);
    expect(lines[0]?.after).toEqual({
      paypalFeeCents: 5,
      payer: `${bankAccount.holder} •••• 3000, Lindenstraße 5, 10115, Berlin, DE`,
    });
    expect(JSON.stringify(lines)).not.toContain('370400440532');
  });

  it('need a second person for another account of the payer, who sees which one', async () => {
    await db().update(users).set({ status: 'Suspended' });
    const [first, second] = [await makeStaff('ManagePayouts'), await makeStaff('ManagePayouts')];
    await setRules({ payer: bankAccount });
    const { rules, version } = await getPayoutRules();
    const change = (iban: string) =>
      savePayoutRules(first, payoutRulesInput.parse({ ...rules, payer: { ...bankAccount, iban }, version }));
    const request = await change('IE29AIBK93115212345678');
    const name = bankAccount.holder;
    expect(request?.summary).toBe(`Pay bank files from another account: ${name} •••• 3000 → ${name} •••• 5678.`);
    await expect(change('NL91ABNA0417164300')).rejects.toMatchObject(conflict);
    await approve(second, request?.id ?? '', approvalExecutors);
    expect((await getPayoutRules()).rules.payer).toMatchObject({ iban: 'IE29AIBK93115212345678' });
  });

  it('need a second person for a higher limit', async () => {
    await db().update(users).set({ status: 'Suspended' });
    const [first, second] = [await makeStaff('ManagePayouts'), await makeStaff('ManagePayouts')];
    const { rules, version } = await getPayoutRules();
    const raised = payoutRulesInput.parse({ ...rules, approvalLimitCents: 900_000, version });
    const request = await savePayoutRules(first, raised);
    expect(request?.summary).toContain('from $1,000.00 to $9,000.00');
    expect((await getPayoutRules()).rules.approvalLimitCents).toBe(100_000);
    await approve(second, request?.id ?? '', approvalExecutors);
    expect((await getPayoutRules()).rules.approvalLimitCents).toBe(900_000);
  });
});

describe('payouts in any order', () => {
  it('never make a balance negative, pay nothing twice and leave sound books', async () => {
    const steps = ['request', 'withdraw', 'approve', 'paid', 'failed'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...steps), fc.integer({ min: 0, max: 3 }), fc.boolean()), { maxLength: 25 }),
        fc.integer({ min: 0, max: 400 }),
        async (walk, fee) => {
          await setRules({ minimumCents: 500, feeCents: { bank: fee, paypal: fee, agreement: fee } });
          const seller = await makePayableSeller(3_000);
          const staff = await makeUser('Admin');
          const ids: string[] = [];
          const run = async (step: (typeof steps)[number], pick: number) => {
            const id = ids[pick % Math.max(ids.length, 1)] ?? newId();
            if (step === 'request')
              ids.push((await requestPayout(seller, pick === 0 ? {} : { amountCents: 500 * pick })).id);
            if (step === 'withdraw') await withdrawPayout(seller, id);
            if (step === 'approve') await approvePayout(staff, id);
            if (step === 'paid') await markPayoutPaid(staff, id, { reference: '' });
            if (step === 'failed') await markPayoutFailed(staff, id, { reason: 'No' });
          };
          let running: Promise<unknown>[] = [];
          for (const [step, pick, isAtOnce] of walk) {
            running.push(run(step, pick).catch((error: unknown) => expect(error).toHaveProperty('code')));
            if (isAtOnce) continue;
            await Promise.all(running);
            running = [];
          }
          await Promise.all(running);
          const rows = await db().select().from(payouts).where(eq(payouts.sellerId, seller.userId));
          expect(rows.every(({ state }) => payoutStates.includes(state))).toBe(true);
          const out = rows.filter(({ state }) => !['failed', 'returned', 'withdrawn'].includes(state));
          const sum = out.reduce((total, { amountCents }) => total + amountCents, 0);
          expect(sum + (await getAvailableCents(seller.userId))).toBe(3_000);
          await expectSoundBooks();
        },
      ),
      { numRuns: propertyRuns(15) },
    );
  });
});
