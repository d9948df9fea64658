import { text } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import { settings } from '@/db/schema/settings';
import { newId } from '@/lib/ids';
import { applyStatement } from '@/lib/payouts/bank/apply-statement';
import { exportPayouts, openBatchFile } from '@/lib/payouts/bank/export';
import { getPayoutBatch, listPayoutBatches } from '@/lib/payouts/batches';
import { payoutBatchView } from '@/lib/payouts/contract';
import { markPayoutPaid } from '@/lib/payouts/mark';
import { getAvailableCents } from '@/lib/payouts/request';
import { bankAccount, makePayout } from '@/tests/factories/make-payout';
import { makeStaff } from '@/tests/factories/make-staff';
import { camt053 } from '@/tests/setup/bank-statement';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { returnByTwo } from '@/tests/setup/return-payout';

const conflict = { code: 'conflict' };
const setRules = (value: object) =>
  db()
    .insert(settings)
    .values({ key: 'payout-rules', value })
    .onConflictDoUpdate({ target: settings.key, set: { value } });

beforeEach(() => setRules({ payer: bankAccount }));
keepSoundBooks();

const stateOf = async (id: string) =>
  (await db().select({ state: payouts.state }).from(payouts).where(eq(payouts.id, id)))[0]?.state;
const download = async (actor: Awaited<ReturnType<typeof makeStaff>>, id: string) => {
  const { stream, ...rest } = await openBatchFile(actor, id);
  return { ...rest, content: await text(stream) };
};

describe('a bank file', () => {
  it('contains approved payouts once, moves them to sent and is the same at every download', async () => {
    const made = [await makePayout('approved'), await makePayout('approved', { amountCents: 7_345 })];
    const ids = made.map(({ payout }) => payout.id);
    const staff = await makeStaff('ManagePayouts');
    for (const format of ['pain.001', 'csv'] as const) {
      const some = format === 'csv' ? ids.slice(1) : ids.slice(0, 1);
      const { id } = await exportPayouts(staff, { format, ids: some });
      const first = await download(staff, id);
      await db()
        .insert(settings)
        .values({ key: 'branding', value: { siteName: newId() } })
        .onConflictDoNothing();
      expect(await download(staff, id)).toEqual(first);
      // A text that no later setting changes.
      expect(first.content).toContain(`Payout ${some[0]}`);
      expect(first.content).toContain(bankAccount.iban);
      expect(first.fileName).toMatch(format === 'csv' ? /\.csv$/ : /\.xml$/);
      expect(payoutBatchView(await getPayoutBatch(id))).toMatchObject({ payoutCount: 1, createdBy: staff.email });
    }
    expect(await Promise.all(ids.map(stateOf))).toEqual(['sent', 'sent']);
    await expect(exportPayouts(staff, { format: 'csv', ids })).rejects.toMatchObject(conflict);
    expect((await listPayoutBatches()).length).toBeGreaterThanOrEqual(2);
  });

  it('is made once by two exports at the same time', async () => {
    const made = [await makePayout('approved'), await makePayout('approved'), await makePayout('approved')];
    const ids = made.map(({ payout }) => payout.id);
    const staff = await makeStaff('ManagePayouts');
    const before = (await db().select().from(payoutBatches)).length;
    const outcomes = await Promise.allSettled(
      [ids, [...ids].reverse(), ids.slice(1), [...ids].reverse()].map((some) =>
        exportPayouts(staff, { format: 'pain.001', ids: some }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await db().select().from(payoutBatches)).length).toBe(before + 1);
  });

  it('is refused without the account of the payer, for other payouts, and for own ones', async () => {
    const staff = await makeStaff('ManagePayouts');
    const { payout, seller } = await makePayout('approved');
    const requested = await makePayout('requested');
    const paypal = await makePayout('approved', { kind: 'paypal' });
    const exporting = (ids: string[]) => exportPayouts(staff, { format: 'csv', ids });
    await expect(exporting([payout.id, requested.payout.id])).rejects.toThrow('Only approved payouts');
    await expect(exporting([paypal.payout.id])).rejects.toThrow('does not go to a bank account');
    await expect(exporting([newId()])).rejects.toMatchObject({ code: 'not_found' });
    await expect(exportPayouts(seller, { format: 'csv', ids: [payout.id] })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await setRules({});
    await expect(exporting([payout.id])).rejects.toThrow('Payout rules');
    expect(await stateOf(payout.id)).toBe('approved');
    await expect(openBatchFile(staff, newId())).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a bank statement', () => {
  const statement = (...rows: string[]) =>
    Buffer.from(['end_to_end_id,amount,currency,date,status,reason', ...rows].join('\n'));

  it('marks what was executed and returned, once for each payout', async () => {
    const staff = await makeStaff('ManagePayouts');
    const [paid, back, late] = [
      await makePayout('approved'),
      await makePayout('approved'),
      await makePayout('approved'),
    ];
    const ids = [paid, back, late].map(({ payout }) => payout.id);
    await exportPayouts(staff, { format: 'csv', ids });
    const file = camt053([
      { id: back.payout.id, cents: 10_000, isReturn: true },
      { id: back.payout.id, cents: 10_000 },
      { id: paid.payout.id, cents: 10_000 },
      { id: 'UNKNOWN', cents: 500 },
    ]);
    expect(await applyStatement(staff, file)).toEqual({
      ...{ paid: 2, returned: 1, waiting: 0, known: 0, skipped: 1, refused: [] },
    });
    expect(await Promise.all(ids.map(stateOf))).toEqual(['paid', 'returned', 'sent']);
    expect(await getAvailableCents(back.seller.userId)).toBe(10_000);
    expect(await applyStatement(staff, file)).toMatchObject({ paid: 0, returned: 0, known: 3 });
    const later = camt053([{ id: late.payout.id, cents: 10_000, isReturn: true }]);
    expect(await applyStatement(staff, later)).toMatchObject({ returned: 1 });
    expect(await stateOf(late.payout.id)).toBe('failed');
  });

  it('refuses other amounts, currencies and payouts that were never in a file, and applies the rest', async () => {
    const staff = await makeStaff('ManagePayouts');
    const [sent, byHand] = [await makePayout('approved'), await makePayout('approved')];
    await exportPayouts(staff, { format: 'csv', ids: [sent.payout.id] });
    await markPayoutPaid(staff, byHand.payout.id, { reference: '' });
    const { refused, paid } = await applyStatement(
      staff,
      statement(
        `${sent.payout.id},99.99,USD,2026-11-19,executed,`,
        `${sent.payout.id},100.00,EUR,2026-11-19,executed,`,
        `${byHand.payout.id},100.00,USD,2026-11-19,executed,`,
        `${sent.payout.id},100.00,USD,2026-11-19,executed,`,
      ),
    );
    expect(paid).toBe(1);
    expect(refused.map(({ reference }) => reference).sort()).toEqual(
      [sent.payout.id, sent.payout.id, byHand.payout.id].sort(),
    );
    await expect(applyStatement(staff, Buffer.from('not a statement'))).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('changes no payout of the person who uploads it', async () => {
    const { payout, seller } = await makePayout('approved');
    await exportPayouts(await makeStaff('ManagePayouts'), { format: 'csv', ids: [payout.id] });
    for (const status of ['executed', 'returned']) {
      const { refused } = await applyStatement(seller, statement(`${payout.id},100.00,USD,2026-11-20,${status},`));
      expect(refused, status).toMatchObject([{ message: expect.stringContaining('your own payout') }]);
    }
    expect(await stateOf(payout.id)).toBe('sent');
    expect(await getAvailableCents(seller.userId)).toBe(0);
  });

  it('reports a payment that the bank executed twice, or after the payout was marked as failed', async () => {
    const staff = await makeStaff('ManagePayouts');
    const [twice, failed] = [await makePayout('approved'), await makePayout('approved')];
    await exportPayouts(staff, { format: 'csv', ids: [twice.payout.id, failed.payout.id] });
    await returnByTwo(staff, await makeStaff('ManagePayouts'), failed.payout.id);
    const { paid, refused } = await applyStatement(
      staff,
      statement(
        `${twice.payout.id},100.00,USD,2026-11-19,executed,`,
        `${twice.payout.id},100.00,USD,2026-11-20,executed,`,
        `${failed.payout.id},100.00,USD,2026-11-19,executed,`,
      ),
    );
    expect(paid).toBe(1);
    expect(refused).toMatchObject([
      { reference: twice.payout.id, message: expect.stringContaining('on more than one day') },
      { reference: failed.payout.id, message: expect.stringContaining('is marked as failed') },
    ]);
    expect(await stateOf(failed.payout.id)).toBe('failed');
  });

  it('is applied once when it is uploaded twice at the same time', async () => {
    const staff = await makeStaff('ManagePayouts');
    const made = await makePayout('approved');
    await exportPayouts(staff, { format: 'pain.001', ids: [made.payout.id] });
    const file = statement(`${made.payout.id},100.00,USD,2026-11-19,executed,`);
    const results = await Promise.all([
      applyStatement(staff, file),
      applyStatement(staff, file),
      applyStatement(staff, file),
    ]);
    expect(results.map(({ paid }) => paid).sort()).toEqual([0, 0, 1]);
  });
});
