import { and, eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { approvals } from '@/db/schema/approvals';
import { type BankCurrency, bankLines, bankTransferRequests } from '@/db/schema/bank-transfers';
import { transfers } from '@/db/schema/ledger';
import { settings } from '@/db/schema/settings';
import { referenceRates } from '@/db/schema/tax';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { approve } from '@/lib/approvals/decide';
import { newId } from '@/lib/ids';
import { removeOldRecords } from '@/lib/jobs/remove-old-records';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import { creditLine } from '@/lib/payments/bank-transfers/credit';
import { type BankPayment, readBankPayment } from '@/lib/payments/bank-transfers/postings';
import { getOwnTransfer, listBankLines, listOpenTransfers } from '@/lib/payments/bank-transfers/queries';
import { formatReference } from '@/lib/payments/bank-transfers/reference';
import { requestTransfer } from '@/lib/payments/bank-transfers/request';
import { returnLine } from '@/lib/payments/bank-transfers/resolve';
import { takeBackLine } from '@/lib/payments/bank-transfers/take-back';
import { uploadStatement } from '@/lib/payments/bank-transfers/upload';
import { emptyOperator } from '@/lib/tax/operator';
import { deleteTransaction } from '@/lib/wallet/delete-transaction';
import { createManualTopup } from '@/lib/wallet/manual-topup';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { isFullRun, propertyRuns } from '@/scripts/testing/tier';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { creditStatement, creditTable, operatorAccounts } from '@/tests/setup/bank-credits';
import { expectSoundBooks, keepSoundBooks } from '@/tests/setup/expect-sound-books';

const day = '2026-11-20';
const rate = 1_080_000;

beforeEach(async () => {
  const value = { ...emptyOperator, bankAccounts: Object.values(operatorAccounts) };
  await db()
    .insert(settings)
    .values({ key: 'operator', value })
    .onConflictDoUpdate({ target: settings.key, set: { value } });
  await db().delete(referenceRates);
  const today = new Date().toISOString().slice(0, 10);
  const one = { currency: 'EUR', usdMicrosPerUnit: rate, unitMicrosPerUsd: Math.round(1e12 / rate) };
  await db()
    .insert(referenceRates)
    .values([
      { day, ...one },
      { day: today, ...one },
    ])
    .onConflictDoNothing();
});
keepSoundBooks();

/** Asks for a top-up of $100.00. */
async function ask(currency: BankCurrency = 'USD', amountCents = 10_000) {
  // The requests from one address are limited.
  const buyer = { ...(await makeUser()), ip: newId() };
  return { buyer, request: await requestTransfer(buyer, { amountCents, currency }) };
}
const staffMember = () => makeStaff('ManageWallets');
const upload = async (file: Buffer, staff?: Actor) => uploadStatement(staff ?? (await staffMember()), file);
const none = { credited: 0, partial: 0, unmatched: 0, known: 0, ignored: 0 };
/** A text that no other line has. */
const unique = () => `Ref ${newId()}`;
const lineOf = async (text: string) => {
  const [line] = await db().select().from(bankLines).where(eq(bankLines.remittance, text));
  if (!line) throw new Error(`No line ${text}`);
  return line;
};
const suspended = async (currency: string) => {
  const rows =
    await db().execute(sql`select coalesce(sum(case when g.kind = 'suspense' then t.amount_cents else -t.amount_cents end), 0)::int as cents
    from ledger.transfers t join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
    where 'suspense' in (f.kind, g.kind) and t.currency = ${currency} and t.meta ? 'bankLine'`);
  return rows[0]?.cents;
};

describe('a transfer with the reference and the amount', () => {
  it('is credited once, however it is written, and its buyer is told', async () => {
    const { buyer, request } = await ask();
    const text = `Payment\n${formatReference(request.reference).toLowerCase()} thanks`;
    expect(await upload(creditStatement([{ cents: 10_000, text, reference: newId() }]))).toEqual({
      ...none,
      credited: 1,
    });
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    expect(await getOwnTransfer(buyer, request.reference)).toMatchObject({
      state: 'paid',
      arrived: [{ state: 'matched', creditedCents: 10_000 }],
    });
    expect(await listOpenTransfers(buyer.userId)).toEqual([]);
    const notes = await db().execute(sql`select kind, subject from notices where user_id = ${buyer.userId}`);
    expect([...notes]).toEqual([{ kind: 'topup.paid', subject: '$100.00' }]);
  });

  it('in EUR is credited at the rate of the booking day; the receipt finds both amounts', async () => {
    const { buyer, request } = await ask('EUR');
    expect(request).toMatchObject({ payMinor: 9_260, rateMicros: rate, currency: 'EUR' });
    const before = await suspended('EUR');
    // A Sunday: the rate of the Friday before.
    await upload(creditStatement([{ cents: 9_260, text: request.reference, day: '2026-11-22' }], 'EUR'));
    expect(await getWalletBalance(buyer.userId)).toBe(10_001);
    expect(await suspended('EUR')).toBe(before);
    const [line] = await db().select().from(bankLines).where(eq(bankLines.requestId, request.id));
    const [credit] = await db()
      .select()
      .from(transfers)
      .where(eq(transfers.key, `bank:${line?.id}:credit:1`));
    const paid: BankPayment = { paidMinor: 9_260, paidCurrency: 'EUR', usdMicrosPerUnit: rate, bookedOn: '2026-11-22' };
    expect(readBankPayment(credit?.meta)).toEqual(paid);
    expect(credit).toMatchObject({ kind: 'topup', method: 'Bank transfer', amountCents: 10_001 });
  });

  it('waits without a rate and is credited when staff try again', async () => {
    const { buyer, request } = await ask('EUR');
    await db().delete(referenceRates);
    await upload(creditStatement([{ cents: 9_260, text: request.reference }], 'EUR'));
    const line = await lineOf(request.reference);
    expect(line).toMatchObject({ state: 'partial', reason: 'no_rate' });
    const again = async () => creditLine(await staffMember(), line.id, { note: 'Again' });
    await expect(again()).rejects.toMatchObject({ code: 'conflict' });
    await db()
      .insert(referenceRates)
      .values({ day, currency: 'EUR', usdMicrosPerUnit: 1_000_000, unitMicrosPerUsd: 1_000_000 });
    await again();
    expect(await getWalletBalance(buyer.userId)).toBe(9_260);
  });
});

describe('a statement', () => {
  it('uploaded twice, at once and as another format credits nothing twice', async () => {
    const asked = await Promise.all([ask(), ask(), ask()]);
    const lines = asked.map(({ request }) => ({ cents: 10_000, text: `Invoice ${request.reference}` }));
    const other = { cents: 7, text: unique() };
    const results = await Promise.all([
      upload(creditTable([...lines, other, other])),
      upload(creditTable([other, ...lines])),
    ]);
    expect(results.reduce((sum, { credited }) => sum + credited, 0)).toBe(3);
    const withReferences = [...lines, other, other].map((line) => ({ ...line, reference: newId() }));
    for (const file of [
      creditTable([...lines, other, other]),
      creditStatement(withReferences),
      creditStatement(withReferences),
    ])
      expect(await upload(file)).toEqual({ ...none, known: 5 });
    expect(await Promise.all(asked.map(({ buyer }) => getWalletBalance(buyer.userId)))).toEqual([
      10_000, 10_000, 10_000,
    ]);
    expect(await db().$count(bankLines, eq(bankLines.remittance, other.text))).toBe(2);
  });

  it('of a part of a day, and then of the whole day in any format, has each transfer once', async () => {
    const [first, second] = [newId(), newId()];
    const payer = `Payer ${newId()}`;
    // The bank adds words of its own to the text of a table.
    const table = (count: number) =>
      creditTable(Array.from({ length: count }, () => ({ cents: 321, text: `GUTSCHRIFT ${payer} Invoice`, payer })));
    const statement = (...references: string[]) =>
      creditStatement(references.map((reference) => ({ cents: 321, text: 'Invoice', payer, reference })));
    for (const file of [table(1), statement(second, first), table(2), statement(first, second), table(2)])
      await upload(file);
    expect(await db().$count(bankLines, eq(bankLines.payerName, payer))).toBe(2);
  });

  it('of another account, or without one that the operator has, is refused as a whole', async () => {
    await expect(upload(creditStatement([{ cents: 5 }], 'EUR', 'DE89370400440532013000'))).rejects.toThrow(
      'none of the operator',
    );
  });

  it('that was interrupted continues with the next upload', async () => {
    const { buyer, request } = await ask();
    await upload(creditStatement([{ cents: 9_999, text: request.reference }]));
    const line = await lineOf(request.reference);
    await db().update(bankTransferRequests).set({ payMinor: 9_999 }).where(eq(bankTransferRequests.id, request.id));
    await db().update(bankLines).set({ reason: 'pending' }).where(eq(bankLines.id, line.id));
    expect(await upload(creditStatement([{ cents: 9_999, text: request.reference }]))).toEqual({ ...none, known: 1 });
    expect(await getWalletBalance(buyer.userId)).toBe(9_999);
  });

  it('of many lines is booked, and none of them twice', async () => {
    const count = isFullRun ? 10_000 : 1_000;
    const lines = Array.from({ length: count }, (_, at) => ({
      cents: 100 + at,
      text: `No reference ${at}`,
      payer: 'Payer of 10,000 transfers',
      reference: newId(),
    }));
    const file = creditStatement(lines);
    expect(await upload(file)).toEqual({ ...none, unmatched: count });
    expect(await upload(file)).toEqual({ ...none, known: count });
  });
});

describe('the payer of a transfer', () => {
  it('is erased after ten whole calendar years, unless the transfer still waits for staff', async () => {
    const year = new Date().getUTCFullYear();
    const [first, last] = [`${year - 10}-01-01`, `${year - 11}-12-31`];
    const { request } = await ask();
    const texts = [`${request.reference} old`, unique(), unique()];
    const [credited = '', recent = '', waiting = ''] = texts;
    const booked = [
      { cents: 10_000, text: credited, day: last },
      { cents: 1_500, text: recent, day: first },
      { cents: 1_600, text: waiting, day: last },
    ];
    await upload(creditStatement(booked));
    await returnLine(await staffMember(), (await lineOf(recent)).id, { outcome: 'not_a_topup', note: 'Interest' });
    const ids = await Promise.all(texts.map(async (text) => (await lineOf(text)).id));
    expect(await removeOldRecords()).toMatchObject({ payers: 1 });
    const lines = await db().select().from(bankLines).where(inArray(bankLines.id, ids)).orderBy(bankLines.amountMinor);
    expect(lines.map(({ payerName, remittance }) => [payerName, remittance])).toEqual([
      ['Buyer GmbH', recent],
      ['Buyer GmbH', waiting],
      ['', ''],
    ]);
    expect(await upload(creditStatement(booked))).toEqual({ ...none, known: 3 });
  });
});

describe('any statements, repeated and overlapping', () => {
  it('credit each request once, and hold the rest', async () => {
    // A payment is one of three requests, or of none, with the right or another amount.
    const payment = fc.record({
      request: fc.integer({ min: 0, max: 3 }),
      isExact: fc.boolean(),
      day: fc.integer({ min: 10, max: 12 }),
    });
    const file = fc.record({
      from: fc.integer({ min: 10, max: 12 }),
      days: fc.integer({ min: 1, max: 3 }),
      isTable: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(payment, { maxLength: 8 }),
        fc.array(file, { minLength: 1, maxLength: 4 }),
        async (payments, files) => {
          const asked = await Promise.all([ask(), ask(), ask()]);
          const mark = newId();
          const lines = payments.map(({ request, isExact, day: of }, at) => ({
            cents: isExact ? 10_000 : 9_000,
            text: asked[request]?.request.reference ?? `Unknown ${mark}`,
            day: `2026-11-${of}`,
            reference: `${mark}-${at}`,
            payer: mark,
          }));
          const uploaded = new Set<string>();
          for (const { from, days, isTable } of files) {
            const ofDays = lines.filter(
              ({ day: of }) => Number(of.slice(8)) >= from && Number(of.slice(8)) < from + days,
            );
            for (const { reference } of ofDays) uploaded.add(reference);
            await upload(isTable ? creditTable(ofDays) : creditStatement(ofDays));
          }
          const arrived = lines.filter(({ reference }) => uploaded.has(reference));
          const balances = await Promise.all(asked.map(({ buyer }) => getWalletBalance(buyer.userId)));
          const isPaid = ({ request }: (typeof asked)[number]) =>
            arrived.some(({ cents, text }) => cents === 10_000 && text === request.reference);
          expect(balances).toEqual(asked.map((one) => (isPaid(one) ? 10_000 : 0)));
          const texts = [...asked.map(({ request }) => request.reference), `Unknown ${mark}`];
          const stored = await db().select().from(bankLines).where(inArray(bankLines.remittance, texts));
          expect(stored.map(({ amountMinor }) => amountMinor).sort()).toEqual(arrived.map(({ cents }) => cents).sort());
          expect(stored.filter(({ state }) => state === 'matched')).toHaveLength(balances.filter(Boolean).length);
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });
});

describe('a transfer that is not as asked', () => {
  it.each([
    ['amount_differs', 'partial', async (request: Asked) => [{ cents: 9_000, text: request.reference }]],
    ['unknown_reference', 'unmatched', async () => [{ cents: 5, text: 'RF62KRMTPWQXTB' }]],
    ['no_reference', 'unmatched', async () => [{ cents: 5, text: unique() }]],
    [
      'several_references',
      'unmatched',
      async (request: Asked) => [{ cents: 10_000, text: `${request.reference} ${(await ask()).request.reference}` }],
    ],
    ['reversal', 'unmatched', async (request: Asked) => [{ cents: 10_000, text: request.reference, isReversal: true }]],
  ] as const)('ends in the list as %s, with its money in suspense', async (reason, state, write) => {
    const { buyer, request } = await ask();
    const before = Number(await suspended('USD'));
    const [line] = await write(request);
    if (!line) throw new Error('No line');
    expect(await upload(creditStatement([line]))).toEqual({ ...none, [state]: 1 });
    expect(await lineOf(line.text)).toMatchObject({ state, reason });
    const { rows } = await listBankLines({ q: line.text, limit: 50, offset: 0 });
    expect(rows).toContainEqual(expect.objectContaining({ reason, remittance: line.text }));
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await suspended('USD')).toBe(before + ('isReversal' in line ? 0 : line.cents));
  });

  it('in another currency, paid twice, or of a deleted buyer is not credited by the upload', async () => {
    const reasons = async (request: Asked) =>
      (await db().select().from(bankLines).where(eq(bankLines.requestId, request.id)).orderBy(bankLines.id)).map(
        (line) => line.reason,
      );
    const other = await ask('USD');
    await upload(creditStatement([{ cents: 10_000, text: other.request.reference }], 'EUR'));
    expect(await reasons(other.request)).toEqual(['other_currency']);
    const twice = await ask();
    const payment = { cents: 10_000, text: twice.request.reference };
    expect(await upload(creditStatement([payment, payment]))).toEqual({ ...none, credited: 1, partial: 1 });
    expect(await reasons(twice.request)).toEqual([null, 'paid_twice']);
    const gone = await ask();
    await db().update(users).set({ deletedAt: new Date() }).where(eq(users.id, gone.buyer.userId));
    await upload(creditStatement([{ cents: 10_000, text: gone.request.reference }]));
    expect(await reasons(gone.request)).toEqual(['account_closed']);
    const { id } = await lineOf(gone.request.reference);
    await expect(creditLine(await staffMember(), id, { note: 'x' })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is credited as received, to the buyer that staff choose, or leaves suspense, each once', async () => {
    const staff = await staffMember();
    const { buyer, request } = await ask();
    const [first, second, third] = [request.reference, unique(), unique()];
    await upload(creditStatement([first, second, third].map((text, at) => ({ cents: 5_000 + at, text }))), staff);
    const ids = await Promise.all([first, second, third].map(async (text) => (await lineOf(text)).id));
    const [partial = '', unmatched = '', foreign = ''] = ids;
    await expect(creditLine(staff, unmatched, { note: 'No buyer' })).rejects.toMatchObject({ code: 'invalid_input' });
    const outcomes = await Promise.allSettled([
      creditLine(staff, partial, { note: 'Credited as received' }),
      creditLine(staff, partial, { note: 'Credited as received' }),
      returnLine(staff, partial, { outcome: 'sent_back', note: 'x' }),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await creditLine(staff, unmatched, { userId: buyer.userId, note: 'By phone' });
    await returnLine(staff, foreign, { outcome: 'not_a_topup', note: 'Payout of Stripe' });
    await expect(returnLine(staff, foreign, { outcome: 'sent_back', note: 'x' })).rejects.toMatchObject({
      code: 'conflict',
    });
    const { rows } = await listBankLines({ q: buyer.email, limit: 10, offset: 0 });
    expect(rows.find(({ id }) => id === unmatched)).toMatchObject({
      state: 'matched',
      resolvedBy: staff.email,
      note: 'By phone',
    });
  });

  it('returns to the list when an admin deletes its credit, and can be credited again', async () => {
    const staff = await staffMember();
    const { buyer, request } = await ask('EUR');
    await upload(creditStatement([{ cents: 9_260, text: request.reference }], 'EUR'), staff);
    const line = await lineOf(request.reference);
    const creditIds = async (part: number) =>
      (
        await db()
          .select()
          .from(transfers)
          .where(eq(transfers.key, `bank:${line.id}:credit:${part}`))
      ).map(({ id }) => id);
    const [credit = ''] = await creditIds(1);
    const deleted = await Promise.allSettled([deleteTransaction(staff, credit), deleteTransaction(staff, credit)]);
    expect(deleted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await lineOf(request.reference)).toMatchObject({
      state: 'partial',
      reason: 'credit_deleted',
      creditedCents: null,
    });
    expect(await getOwnTransfer(buyer, request.reference)).toMatchObject({ state: 'open' });
    await expectSoundBooks();
    await creditLine(staff, line.id, { note: 'It was right' });
    expect(await getWalletBalance(buyer.userId)).toBe(10_001);
    const [again = ''] = await creditIds(2);
    await deleteTransaction(staff, again);
    await returnLine(staff, line.id, { outcome: 'sent_back', note: 'By SEPA' });
  });
});

type Asked = Awaited<ReturnType<typeof ask>>['request'];

describe('a transfer that the bank took back', () => {
  const reversalOf = async (request: Asked) => {
    const lines = await db().select().from(bankLines).where(eq(bankLines.requestId, request.id));
    return lines.find((line) => line.isReversal)?.id ?? '';
  };
  const statesOf = async (request: Asked) =>
    (await db().select().from(bankLines).where(eq(bankLines.requestId, request.id))).map(({ state, reason }) => [
      state,
      reason,
    ]);

  it.each(['USD', 'EUR'] as const)('in %s leaves the wallet, and what was spent is owed', async (currency) => {
    const staff = await staffMember();
    const { buyer, request } = await ask(currency);
    const cents = request.payMinor;
    const before = await suspended(currency);
    const payment = { cents, text: request.reference, day: '2026-11-20' };
    await upload(creditStatement([payment], currency), staff);
    const credited = await getWalletBalance(buyer.userId);
    await spendMoney(buyer, 7_000);
    await upload(creditStatement([{ ...payment, day: '2026-11-23', isReversal: true }], currency), staff);
    const reversal = await reversalOf(request);
    const outcomes = await Promise.allSettled([
      takeBackLine(staff, reversal, { note: 'Recalled' }),
      takeBackLine(staff, reversal, { note: 'Recalled' }),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await statesOf(request)).toEqual([
      ['returned', 'taken_back'],
      ['returned', 'taken_back'],
    ]);
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    expect(await getOwedCents(buyer.userId)).toBe(7_000);
    expect(await suspended(currency)).toBe(before);
    await expectSoundBooks();
    const [credit] = await db()
      .select()
      .from(transfers)
      .where(
        and(
          eq(transfers.kind, 'topup'),
          sql`${transfers.meta}->>'paidMinor' = ${String(cents)}`,
          sql`${transfers.meta}->>'bankLine' in (select id from bank_lines where request_id = ${request.id})`,
        ),
      );
    await expect(deleteTransaction(staff, credit?.id ?? '')).rejects.toMatchObject({ code: 'conflict' });
    // The next payment of the request pays the debt first.
    await upload(creditStatement([{ ...payment, day: '2026-11-24' }], currency), staff);
    expect(await getWalletBalance(buyer.userId)).toBe(credited - 7_000);
  });

  it('before it was credited leaves suspense; of two payments, the one that was not credited', async () => {
    const staff = await staffMember();
    const { buyer, request } = await ask();
    const payment = { cents: 10_000, text: request.reference };
    await upload(creditStatement([payment, payment, { ...payment, isReversal: true }]), staff);
    await takeBackLine(staff, await reversalOf(request), { note: 'Recalled' });
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    expect((await statesOf(request)).sort()).toEqual([
      ['matched', null],
      ['returned', 'taken_back'],
      ['returned', 'taken_back'],
    ]);
  });

  it('is only taken from its own buyer, and not by the buyer', async () => {
    const staff = await staffMember();
    const own = await requestTransfer(staff, { amountCents: 10_000, currency: 'USD' });
    const { buyer, request } = await ask();
    const payments = [own, request].map(({ reference }) => ({ cents: 10_000, text: reference }));
    await upload(creditStatement(payments));
    const text = unique();
    await upload(creditStatement([{ cents: 10_000, text, isReversal: true }]));
    const { id } = await lineOf(text);
    const take = (payer: object) => takeBackLine(staff, id, { note: 'x', ...payer });
    await expect(take({})).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(take({ reference: own.reference })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(take({ email: (await makeUser()).email })).rejects.toMatchObject({ code: 'conflict' });
    const [credited] = await db().select().from(bankLines).where(eq(bankLines.requestId, request.id));
    await expect(takeBackLine(staff, credited?.id ?? '', { note: 'x' })).rejects.toMatchObject({ code: 'conflict' });
    await take({ reference: request.reference });
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    await expect(take({ reference: request.reference })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a forged statement', () => {
  it('credits no more than the limit of one person, together with manual credits', async () => {
    const staff = await staffMember();
    const other = await staffMember();
    const asked = [await ask('USD', 600_000), await ask('USD', 600_000)];
    const manual = await makeUser();
    await createManualTopup(staff, { userId: manual.userId, amountCents: 300_000, note: '', currency: 'USD' });
    const lines = asked.map(({ request }) => ({ cents: 600_000, text: request.reference }));
    expect(await upload(creditStatement(lines), staff)).toEqual({ ...none, credited: 1, partial: 1 });
    const { id } = await lineOf(lines[1]?.text ?? '');
    expect(await lineOf(lines[1]?.text ?? '')).toMatchObject({ state: 'partial', reason: 'needs_approval' });
    await expect(
      createManualTopup(staff, { userId: manual.userId, amountCents: 200_000, note: '', currency: 'USD' }),
    ).resolves.toMatchObject({ status: 'Pending' });
    expect(await creditLine(staff, id, { note: '' })).toMatchObject({ status: 'waiting' });
    const [approval] = await db()
      .select()
      .from(approvals)
      .where(eq(approvals.subject, `bank-line:${id}`));
    await expect(approve(staff, approval?.id ?? '', approvalExecutors)).rejects.toMatchObject({ code: 'forbidden' });
    await approve(other, approval?.id ?? '', approvalExecutors);
    expect(await getWalletBalance(asked[1]?.buyer.userId ?? '')).toBe(600_000);
    await expect(approve(other, approval?.id ?? '', approvalExecutors)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('that was interrupted is not credited by a colleague who uploads another one', async () => {
    const forger = await staffMember();
    const request = await requestTransfer(forger, { amountCents: 10_000, currency: 'USD' });
    await upload(creditStatement([{ cents: 10_000, text: request.reference }]), forger);
    const { id } = await lineOf(request.reference);
    await db().update(bankLines).set({ reason: 'pending' }).where(eq(bankLines.id, id));
    await upload(creditStatement([{ cents: 5, text: unique() }]));
    expect(await getWalletBalance(forger.userId)).toBe(0);
    expect(await lineOf(request.reference)).toMatchObject({ state: 'partial', reason: 'pending' });
  });

  it('does not credit the wallet of the person who uploads it', async () => {
    const staff = await staffMember();
    const request = await requestTransfer(staff, { amountCents: 10_000, currency: 'USD' });
    expect(await upload(creditStatement([{ cents: 10_000, text: request.reference }]), staff)).toEqual({
      ...none,
      partial: 1,
    });
    const { id, reason } = await lineOf(request.reference);
    expect(reason).toBe('own_wallet');
    await expect(creditLine(staff, id, { note: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(returnLine(staff, id, { outcome: 'sent_back', note: 'x' })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('a request', () => {
  it('is answered once for a key, and refused without an account or for a wrong amount', async () => {
    const buyer = { ...(await makeUser()), ip: newId() };
    const key = newId();
    const ask100 = (amountCents = 10_000) => requestTransfer(buyer, { amountCents }, key);
    const made = await Promise.all([ask100(), ask100(), ask100()]);
    expect(new Set(made.map(({ reference }) => reference)).size).toBe(1);
    // The first account is in EUR.
    expect(made[0]?.currency).toBe('EUR');
    await expect(ask100(20_000)).rejects.toMatchObject({ code: 'conflict' });
    for (const amountCents of [null, 0, 99, 10_000_001])
      await expect(requestTransfer(buyer, { amountCents })).rejects.toMatchObject({ code: 'invalid_input' });
    await db().update(settings).set({ value: emptyOperator }).where(eq(settings.key, 'operator'));
    await expect(requestTransfer(buyer, { amountCents: 10_000 })).rejects.toMatchObject({ code: 'not_configured' });
  });

  it('is shown to its buyer only', async () => {
    const { request } = await ask();
    await expect(getOwnTransfer(await makeUser(), request.reference)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('that expired is credited when its money arrives', async () => {
    const { buyer, request } = await ask();
    await db()
      .update(bankTransferRequests)
      .set({ expiresAt: new Date(0) })
      .where(inArray(bankTransferRequests.id, [request.id]));
    expect(await listOpenTransfers(buyer.userId)).toEqual([]);
    await upload(creditStatement([{ cents: 10_000, text: request.reference }]));
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
  });
});
