import { unzipSync } from 'fflate';
import Papa from 'papaparse';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, expect, it } from 'vitest';
import type { Actor } from '@/lib/access/actor';
import { documentsQuery, monthDocumentsQuery } from '@/lib/invoices/contract';
import { issueInvoices } from '@/lib/invoices/issue';
import { respondWithMonth } from '@/lib/invoices/respond-with-month';
import { updateOrder } from '@/lib/orders/order/update';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { makeBillingProfile, turnTaxOff, turnTaxOn } from '@/tests/factories/turn-tax-on';

afterEach(turnTaxOff);

async function readMonth(actor: Actor, month: string) {
  const [zip, csv] = await Promise.all(
    (['zip', 'csv'] as const).map(async (format) => {
      const response = await respondWithMonth(actor, { month, format });
      return new Uint8Array(await response.arrayBuffer());
    }),
  );
  const files = unzipSync(zip ?? new Uint8Array());
  const summary = new TextDecoder().decode(csv);
  expect(new TextDecoder().decode(files[`documents-${month}.csv`])).toBe(summary);
  const { data } = Papa.parse<Record<string, string>>(summary, { header: true, skipEmptyLines: true });
  return { names: Object.keys(files).sort(), files, rows: data };
}

const readPdf = async (bytes: Uint8Array | undefined) =>
  (await extractText(await getDocumentProxy(new Uint8Array(bytes ?? [])), { mergePages: true })).text;

/** Moves money of a buyer in a month, and issues its documents on the day. */
async function makeMonth(buyer: Actor, at: Date) {
  await fundWallet(buyer.userId, 50_000);
  const id = await spendMoney(buyer, 10_000);
  await updateOrder(await makeUser('Admin'), id, { status: 'Refunded' });
  await spendMoney(buyer, 2_500);
  await issueInvoices({ at });
}

it('returns the documents of the month and its buyer, with XML and totals, and no other', async () => {
  await issueInvoices();
  const [buyer, other] = [await makeUser(), await makeUser()];
  await makeMonth(other, new Date('2090-03-31T23:59:59Z'));
  await turnTaxOn();
  await makeBillingProfile(buyer.userId, { company: '=株式会社サンプル', vatId: 'PL5260001246', reference: 'PO-7' });
  await makeMonth(buyer, new Date('2090-03-31T23:59:59Z'));
  await makeMonth(buyer, new Date('2090-04-01T00:00:00Z'));

  const { names, files, rows } = await readMonth(buyer, '2090-03');
  const numbers = rows.map((row) => row.Number ?? '');
  expect(numbers).toHaveLength(5);
  expect(names).toEqual(
    [
      'documents-2090-03.csv',
      ...numbers
        .slice(0, -1)
        .flatMap((number) => (number.startsWith('RC') ? [`${number}.pdf`] : [`${number}.pdf`, `${number}.ubl.xml`])),
    ].sort(),
  );
  for (const number of numbers.slice(0, -1)) {
    const text = await readPdf(files[`${number}.pdf`]);
    for (const shown of [number, '株式会社サンプル']) expect(text).toContain(shown);
    expect(text).not.toContain('???');
  }
  const [invoice] = numbers.filter((number) => number.startsWith('INV'));
  expect(new TextDecoder().decode(files[`${invoice}.ubl.xml`])).toContain(`<cbc:ID>${invoice}</cbc:ID>`);
  expect(
    rows.map((row) => [row.Kind, row['Net (USD)'], row['Tax (USD)'], row['Total (USD)'], row['Paid in (USD)']]),
  ).toEqual(
    expect.arrayContaining([
      ['Invoice', '100', '23', '123', ''],
      ['Credit note', '-100', '-23', '-123', ''],
      ['Invoice', '25', '5.75', '30.75', ''],
      ['Receipt', '', '', '', '500'],
      ['', '25', '5.75', '30.75', '500'],
    ]),
  );
  expect(rows.find(({ Kind }) => Kind === 'Credit note')?.Counterpart).toBe(invoice);
  expect(rows.find(({ Kind }) => Kind === 'Invoice')).toMatchObject({ Buyer: "'=株式会社サンプル", Reference: 'PO-7' });

  const second = await readMonth(buyer, '2090-04');
  const strange = await readMonth(other, '2090-03');
  for (const { names: names2 } of [second, strange])
    expect(names2.filter((name) => name.endsWith('.pdf') && names.includes(name))).toEqual([]);
  // Without a country of the buyer there is no XML.
  expect(strange.names.filter((name) => name.endsWith('.xml'))).toEqual([]);
  expect(strange.names.filter((name) => name.endsWith('.pdf'))).toHaveLength(4);

  const empty = await readMonth(buyer, '2090-02');
  expect(empty.names).toEqual(['documents-2090-02.csv']);
  expect(empty.rows).toMatchObject([{ Number: 'Total', 'Net (USD)': '0' }]);
});

it('takes a month that has begun', () => {
  const now = new Date();
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 7);
  expect(monthDocumentsQuery.safeParse({ month: now.toISOString().slice(0, 7) }).success).toBe(true);
  for (const month of [next, '2026-13', '2026-1', '', '2026-01-01', '0000-01'])
    expect(monthDocumentsQuery.safeParse({ month }).success, month).toBe(false);
  // PostgreSQL has no year 0.
  expect(documentsQuery.safeParse({ month: '0000-01' }).success).toBe(false);
});
