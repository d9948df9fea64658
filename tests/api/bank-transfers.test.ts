import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { offerBankTransfers } from '@/tests/factories/make-bank-transfer';
import { makeStaff } from '@/tests/factories/make-staff';
import { creditStatement } from '@/tests/setup/bank-credits';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { sendUpload } from '@/tests/setup/send-body';

let buyer = openClient();
let staff = openClient();
const account = { email: '' };
beforeAll(async () => {
  await offerBankTransfers();
  account.email = (await makeAccount()).email;
  buyer = openClient();
  await buyer.signIn('user', account.email);
  staff = await openSession((await makeStaff('ManageWallets')).userId);
});

const requested = z.strictObject({ reference: z.string().regex(/^RF\d{2}[A-Z]{10}$/), proForma: z.url() });
const ask = async (amount: unknown = 100, headers = {}) =>
  buyer.post('/api/wallet/topup/bank', { amount, currency: 'USD' }, headers);
const upload = (content: Buffer) =>
  sendUpload(staff, '/api/admin/bank-transfers/upload', { content: new Uint8Array(content), name: 'statement.xml' });
const list = z.object({ lines: z.array(z.looseObject({ id: z.string() })), total: z.number() });
const linesOf = async (reference: string, state = '') =>
  list.parse((await staff.get(`/api/admin/bank-transfers?q=${reference}${state && `&state=${state}`}`)).body).lines;

describe('a top-up by bank transfer', () => {
  it('has a reference and a pro forma, is credited by a statement and leaves the list of requests', async () => {
    const made = requested.parse((await ask()).body);
    const pdf = await fetch(made.proForma.replace(new URL(made.proForma).origin, appUrl), {
      headers: { cookie: buyer.cookie() },
    });
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect((await buyer.get('/user/wallet')).body).toContain(made.reference);
    expect((await buyer.get(`/user/wallet/bank/${made.reference}`)).body).toContain('000123456789');
    const file = creditStatement([{ cents: 10_000, text: `Invoice ${made.reference}`, reference: newId() }]);
    expect(await upload(file)).toMatchObject({
      status: 200,
      body: { credited: 1, partial: 0, unmatched: 0, known: 0, ignored: 0 },
    });
    expect(await upload(file)).toMatchObject({ body: { credited: 0, known: 1 } });
    expect((await buyer.get('/api/wallet')).body).toMatchObject({ balance_cents: 10_000 });
    expect(await linesOf(made.reference, 'matched')).toMatchObject([
      { userEmail: account.email, creditedCents: 10_000 },
    ]);
  });

  it('that does not match waits in the list until staff decide', async () => {
    const made = requested.parse((await ask(50)).body);
    await upload(
      creditStatement([{ cents: 4_500, text: made.reference, reference: newId(), payer: '=HYPERLINK("x")' }]),
    );
    const [line] = await linesOf(made.reference, 'partial');
    expect(line).toMatchObject({ reason: 'amount_differs', askedMinor: 5_000, amountMinor: 4_500, currency: 'USD' });
    expect(await staff.post(`/api/admin/bank-transfers/${line?.id}/credit`, { note: '' })).toMatchObject({
      status: 400,
    });
    expect(await staff.post(`/api/admin/bank-transfers/${line?.id}/credit`, { note: 'As received' })).toMatchObject({
      status: 200,
      body: { status: 'credited' },
    });
    expect(
      await staff.post(`/api/admin/bank-transfers/${line?.id}/return`, { outcome: 'sent_back', note: 'x' }),
    ).toMatchObject({ status: 409 });
    expect((await staff.get('/dashboard/features/wallet-manager?tab=bank')).body).toContain('Upload statement');
  });

  it('that the bank took back leaves the wallet', async () => {
    const { reference } = requested.parse((await ask(30)).body);
    const balance = z.object({ balance_cents: z.number() });
    const before = balance.parse((await buyer.get('/api/wallet')).body).balance_cents;
    const payment = { cents: 3_000, text: reference };
    await upload(creditStatement([payment, { ...payment, isReversal: true }]));
    expect((await buyer.get('/api/wallet')).body).toMatchObject({ balance_cents: before + 3_000 });
    const [line] = await linesOf(reference, 'unmatched');
    const answer = await staff.post(`/api/admin/bank-transfers/${line?.id}/return`, {
      outcome: 'taken_back',
      note: 'x',
    });
    expect(answer).toMatchObject({ status: 200, body: { status: 'returned' } });
    expect((await buyer.get('/api/wallet')).body).toMatchObject({ balance_cents: before });
    expect(await linesOf(reference, 'returned')).toMatchObject([{ reason: 'taken_back' }, { reason: 'taken_back' }]);
  });

  it('refuses other amounts, currencies and states, and answers a repeated key once', async () => {
    for (const amount of [0.99, 'a lot', null, 100_001]) expect((await ask(amount)).status).toBe(400);
    expect((await buyer.post('/api/wallet/topup/bank', { amount: 5, currency: 'GBP' })).status).toBe(400);
    expect((await staff.get('/api/admin/bank-transfers?state=open')).status).toBe(400);
    const keyed = { 'Idempotency-Key': newId() };
    const first = await ask(7, keyed);
    expect((await ask(7, keyed)).body).toEqual(first.body);
    expect((await ask(8, keyed)).status).toBe(409);
  });
});
