import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { approvals } from '@/db/schema/approvals';
import { auditLogs } from '@/db/schema/audit';
import { settings } from '@/db/schema/settings';
import type { Actor } from '@/lib/access/actor';
import { approve, reject } from '@/lib/approvals/decide';
import { approvePayout } from '@/lib/payouts/approve';
import { applyStatement } from '@/lib/payouts/bank/apply-statement';
import { exportPayouts } from '@/lib/payouts/bank/export';
import { adminPayoutView } from '@/lib/payouts/contract';
import { markPayoutFailed, markPayoutPaid } from '@/lib/payouts/mark';
import { getPayout } from '@/lib/payouts/queries';
import { getAvailableCents, requestPayout } from '@/lib/payouts/request';
import { requestPayoutReturn } from '@/lib/payouts/return';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { bankAccount, makePayableSeller, makePayout } from '@/tests/factories/make-payout';
import { makeStaff } from '@/tests/factories/make-staff';
import { camt053 } from '@/tests/setup/bank-statement';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { returnByTwo } from '@/tests/setup/return-payout';
import { settle } from '@/tests/setup/settle';

// A clerk who tries to pay a seller twice: a payout that was sent or paid is returned by the bank or by two persons.

const conflict = { code: 'conflict' };
const reason = 'AC04 Account closed';
let clerk: Actor;
let second: Actor;

beforeEach(async () => {
  const value = { payer: bankAccount, feeCents: { bank: 250, paypal: 0, agreement: 0 } };
  await db().delete(approvals);
  await db().insert(settings).values({ key: 'payout-rules', value }).onConflictDoUpdate({
    target: settings.key,
    set: { value },
  });
  clerk = await makeStaff('ManagePayouts');
  second = await makeStaff('ManagePayouts');
});
keepSoundBooks();

/** A payout of $900.00 that the clerk approved and put into a bank file. */
async function sentPayout(amountCents = 90_000) {
  const seller = await makePayableSeller(amountCents);
  const { id } = await requestPayout(seller, {});
  if ((await approvePayout(clerk, id)).state === 'requested') await approvePayout(second, id);
  await exportPayouts(clerk, { format: 'pain.001', ids: [id] });
  return { id, seller, cents: amountCents - 250, available: () => getAvailableCents(seller.userId) };
}

const paidPayout = async (amountCents?: number) => {
  const made = await sentPayout(amountCents);
  await markPayoutPaid(clerk, made.id, { reference: '' });
  return made;
};
const stateOf = async (id: string) => (await getPayout(id)).state;
const pendingOf = async (id: string) => adminPayoutView(await getPayout(id)).isReturnPending;
const decide = (by: Actor, id: string) => approve(by, id, approvalExecutors);

describe('one person alone', () => {
  it('marks no payout as failed that was sent or paid', async () => {
    for (const { id, available } of [await sentPayout(), await paidPayout()]) {
      const before = await stateOf(id);
      await expect(markPayoutFailed(clerk, id, { reason })).rejects.toThrow('second person');
      expect([await stateOf(id), await available()]).toEqual([before, 0]);
    }
  });

  it('requests a return, which changes nothing before a second person approves it', async () => {
    for (const [made, before, after] of [
      [await sentPayout(), 'sent', 'failed'],
      [await paidPayout(), 'paid', 'returned'],
    ] as const) {
      const { id, seller, available } = made;
      const request = await requestPayoutReturn(clerk, id, { reason, version: (await getPayout(id)).version });
      expect(request.summary).toContain(`$900.00 to the balance of ${seller.email}`);
      expect([await stateOf(id), await pendingOf(id), await available()]).toEqual([before, true, 0]);
      await expect(decide(clerk, request.id)).rejects.toMatchObject({ code: 'forbidden' });
      await expect(requestPayoutReturn(second, id, { reason: 'Another' })).rejects.toThrow('already waiting');
      expect((await requestPayoutReturn(clerk, id, { reason })).id).toBe(request.id);
      await decide(second, request.id);
      expect([await stateOf(id), await pendingOf(id), await available()]).toEqual([after, false, 90_000]);
      expect(await getPayout(id)).toMatchObject({ reason });
      await expect(requestPayoutReturn(clerk, id, { reason })).rejects.toMatchObject(conflict);
    }
  });

  it('returns no payout of their own, and none that was not sent', async () => {
    const { id, seller } = await paidPayout();
    await expect(requestPayoutReturn(seller, id, { reason })).rejects.toMatchObject({ code: 'forbidden' });
    const request = await requestPayoutReturn(clerk, id, { reason });
    const beneficiary = { ...seller, permissions: second.permissions };
    await expect(decide(beneficiary, request.id)).rejects.toMatchObject({ code: 'forbidden' });
    for (const state of ['requested', 'approved', 'failed', 'returned', 'withdrawn'] as const) {
      const { payout } = await makePayout(state);
      await expect(requestPayoutReturn(clerk, payout.id, { reason }), state).rejects.toMatchObject(conflict);
    }
  });

  it('does not have a return approved of a payout that changed in the meantime', async () => {
    const { id, cents, available } = await sentPayout();
    const request = await requestPayoutReturn(clerk, id, { reason: 'Not executed' });
    await applyStatement(clerk, camt053([{ id, cents }]));
    await expect(decide(second, request.id)).rejects.toThrow('now paid');
    expect([await stateOf(id), await available()]).toEqual(['paid', 0]);
    await reject(second, request.id);
  });
});

describe('the entry of a bank statement', () => {
  it('returns a payout once, exactly, and names the file in the audit log', async () => {
    const { id, cents, available } = await paidPayout();
    const file = camt053([{ id, cents, isReturn: true }]);
    const results = await Promise.all(Array.from({ length: 4 }, () => applyStatement(clerk, file)));
    expect(results.map(({ returned, known }) => [returned, known]).sort()).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
      [1, 0],
    ]);
    expect([await stateOf(id), await available()]).toEqual(['returned', 90_000]);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id));
    expect(lines.filter(({ action }) => action === 'payout.returned')).toMatchObject([
      { userId: clerk.userId, details: expect.stringMatching(/SHA-256 [0-9a-f]{64}: AC04/) },
    ]);
  });

  it('replaces a request for the same return', async () => {
    const { id, cents } = await paidPayout();
    const request = await requestPayoutReturn(clerk, id, { reason });
    expect(await applyStatement(second, camt053([{ id, cents, isReturn: true }]))).toMatchObject({ returned: 1 });
    await expect(decide(second, request.id)).rejects.toThrow('already rejected');
  });

  it.each<[string, (made: { id: string; cents: number }) => Buffer]>([
    ['CSV names no account', ({ id, cents }) => csv(id, cents)],
    ['another account', ({ id, cents }) => camt053([{ id, cents, isReturn: true }], 'NL91ABNA0417164300')],
    [
      'no account',
      ({ id, cents }) => Buffer.from(String(camt053([{ id, cents, isReturn: true }])).replace(/<Acct>.*<\/Acct>/, '')),
    ],
  ])('of a file with %s waits for a second person', async (_, write) => {
    const made = await paidPayout();
    const file = write(made);
    expect(await applyStatement(clerk, file)).toMatchObject({ returned: 0, waiting: 1, refused: [] });
    expect(await applyStatement(clerk, file)).toMatchObject({ returned: 0, waiting: 1, refused: [] });
    expect([await stateOf(made.id), await pendingOf(made.id), await made.available()]).toEqual(['paid', true, 0]);
    const [request] = await db()
      .select()
      .from(approvals)
      .where(eq(approvals.subject, `payout-return:${made.id}`));
    await decide(second, request?.id ?? '');
    expect([await stateOf(made.id), await made.available()]).toEqual(['returned', 90_000]);
    expect(await applyStatement(clerk, file)).toMatchObject({ known: 1, waiting: 0 });
  });

  it.each<[string, (made: { id: string; cents: number }) => Buffer]>([
    ['a cent more', ({ id, cents }) => camt053([{ id, cents: cents + 1, isReturn: true }])],
    ['the amount with the fee', ({ id }) => camt053([{ id, cents: 90_000, isReturn: true }])],
    [
      'another currency',
      ({ id, cents }) => Buffer.from(String(camt053([{ id, cents, isReturn: true }])).replace('USD', 'EUR')),
    ],
  ])('with %s is refused', async (_, write) => {
    const made = await paidPayout();
    expect(await applyStatement(clerk, write(made))).toMatchObject({ returned: 0, waiting: 0, refused: [{}] });
    expect([await stateOf(made.id), await made.available()]).toEqual(['paid', 0]);
  });

  it('above the limit waits for a second person, also in parts for one seller', async () => {
    const large = await paidPayout(150_000);
    const file = (made: { id: string; cents: number }) => camt053([{ ...made, isReturn: true }]);
    expect(await applyStatement(clerk, file(large))).toMatchObject({ returned: 0, waiting: 1 });
    const { id, cents, seller } = await paidPayout(60_000);
    expect(await applyStatement(clerk, file({ id, cents }))).toMatchObject({ returned: 1, waiting: 0 });
    const next = await requestPayout(seller, {});
    await approvePayout(clerk, next.id);
    await approvePayout(second, next.id);
    await exportPayouts(clerk, { format: 'pain.001', ids: [next.id] });
    expect(await applyStatement(clerk, file({ id: next.id, cents }))).toMatchObject({ returned: 0, waiting: 1 });
  });
});

it('one clerk with a forged statement does not pay a seller twice', async () => {
  const { id, cents, seller } = await paidPayout();
  expect(await applyStatement(clerk, camt053([{ id, cents, isReturn: true }]))).toMatchObject({ returned: 1 });
  const again = await requestPayout(seller, {});
  expect(await approvePayout(clerk, again.id)).toMatchObject({ state: 'requested', firstApprovedBy: clerk.userId });
  await expect(approvePayout(clerk, again.id)).rejects.toThrow('second person');
  expect(await approvePayout(second, again.id)).toMatchObject({ state: 'approved' });
});

describe('a stale version', () => {
  it('is refused with the state that the payout has now', async () => {
    const { payout } = await makePayout('approved');
    const { id, version } = payout;
    await markPayoutPaid(clerk, id, { reference: '', version });
    const steps = [
      () => markPayoutPaid(clerk, id, { reference: '', version }),
      () => markPayoutFailed(clerk, id, { reason, version }),
      () => requestPayoutReturn(clerk, id, { reason, version }),
    ];
    for (const step of steps) await expect(step()).rejects.toThrow('This payout, which is now paid, was changed');
  });

  it('ten times paid, ten times failed and ten returns at once end in one state', async () => {
    for (const hasVersion of [true, false]) {
      const { payout, seller } = await makePayout('approved');
      const version = hasVersion ? payout.version : undefined;
      const { values, codes } = await settle(
        Array.from({ length: 30 }, (_, index): Promise<unknown> => {
          if (index % 3 === 0) return markPayoutPaid(clerk, payout.id, { reference: '', version });
          if (index % 3 === 1) return markPayoutFailed(second, payout.id, { reason, version });
          return requestPayoutReturn(clerk, payout.id, { reason, version });
        }),
      );
      expect(new Set(codes)).toEqual(new Set(['conflict']));
      const state = await stateOf(payout.id);
      expect(['paid', 'failed']).toContain(state);
      expect(await getAvailableCents(seller.userId)).toBe(state === 'paid' ? 0 : 10_000);
      if (hasVersion) expect(values).toHaveLength(1);
    }
  });

  it('a return is approved once when two persons approve and a statement arrives at once', async () => {
    const { id, cents, available } = await paidPayout();
    const { id: request } = await requestPayoutReturn(clerk, id, { reason });
    const third = await makeStaff('ManagePayouts');
    await settle<unknown>([
      ...[second, third, second].map((by) => decide(by, request)),
      ...Array.from({ length: 3 }, () => applyStatement(third, camt053([{ id, cents, isReturn: true }]))),
    ]);
    expect([await stateOf(id), await available()]).toEqual(['returned', 90_000]);
  });
});

it('a payout that two persons returned is paid again', async () => {
  const { id, seller } = await paidPayout();
  await returnByTwo(clerk, second, id);
  const again = await requestPayout(seller, {});
  expect(await approvePayout(clerk, again.id)).toMatchObject({ state: 'approved' });
});

const csv = (id: string, cents: number) =>
  Buffer.from(`end_to_end_id,amount,currency,date,status\n${id},${cents / 100},USD,2026-11-20,returned`);
