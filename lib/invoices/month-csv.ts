import type { TaxLine } from '@/db/schema/invoices';
import { toDecimalString } from '@/lib/money';
import { csvLine } from '@/lib/platform/csv';
import type { ReceiptRow } from './draw-receipt';
import type { InvoiceModel } from './model';
import type { MonthDocument } from './month-documents';

const columns = [
  ...['Number', 'Kind', 'Issued on', 'Supplied or received on', 'Order', 'Description', 'Net (USD)', 'Tax rate (%)'],
  ...['Tax category', 'Tax (USD)', 'Total (USD)', 'Paid in (USD)', 'Tax in the accounting currency'],
  ...['Accounting currency', 'Counterpart', 'Seller', "Seller's VAT id", 'Buyer', "Buyer's VAT id", 'Reference'],
];

/** An amount as a number, which is no formula, also below 0. */
const amount = (minor: number): number => Number(toDecimalString(minor));

/**
 * Generates the summary of a month as CSV, one line for each document and rate, then the totals. Amounts of credit notes
 * are negative. Receipts have their amount in a column of their own: they are prepayments, which later invoices contain.
 */
export async function* generateMonthCsv(batches: AsyncIterable<readonly MonthDocument[]>): AsyncGenerator<string> {
  // The byte order mark marks the file as UTF-8 for spreadsheets.
  yield `\uFEFF${csvLine(columns)}`;
  const totals = { netCents: 0, taxCents: 0, paidCents: 0 };
  const accounting = new Map<string, number>();
  for await (const batch of batches) {
    const lines: string[] = [];
    for (const { number, document, counterparts } of batch) {
      if (document.kind === 'receipt') {
        totals.paidCents += document.receipt.amountCents;
        lines.push(receiptLine(number, document.receipt));
        continue;
      }
      const { model } = document;
      const sign = model.code === '381' ? -1 : 1;
      totals.netCents += sign * model.netCents;
      totals.taxCents += sign * model.taxCents;
      const { currency, taxMinor } = model.accountingTax ?? { currency: '', taxMinor: 0 };
      if (currency) accounting.set(currency, (accounting.get(currency) ?? 0) + sign * taxMinor);
      lines.push(...model.taxes.map((tax, index) => invoiceLine(model, tax, { isFirst: index === 0, counterparts })));
    }
    yield lines.join('');
  }
  const [[currency, minor] = ['', 0], ...others] = accounting;
  yield csvLine([
    ...['Total', '', '', '', '', '', amount(totals.netCents), '', '', amount(totals.taxCents)],
    ...[amount(totals.netCents + totals.taxCents), amount(totals.paidCents)],
    currency ? amount(minor) : '',
    currency,
  ]);
  // The operator moved to another country in the month.
  for (const [other, cents] of others) yield csvLine(['Total', ...Array(11).fill(''), amount(cents), other]);
}

function invoiceLine(
  model: InvoiceModel,
  tax: TaxLine,
  { isFirst, counterparts }: { isFirst: boolean; counterparts: readonly string[] },
): string {
  const { seller, buyer, accountingTax, lines } = model;
  const sign = model.code === '381' ? -1 : 1;
  // The tax of a document in the accounting currency is one amount.
  const accounting = isFirst ? accountingTax : null;
  return csvLine([
    ...[model.number, sign < 0 ? 'Credit note' : 'Invoice', model.issuedOn, model.suppliedOn, model.orderNumber],
    ...[lines[0]?.title ?? '', amount(sign * tax.netCents), amount(tax.rate), tax.category],
    ...[amount(sign * tax.taxCents), amount(sign * (tax.netCents + tax.taxCents)), ''],
    accounting ? amount(sign * accounting.taxMinor) : '',
    ...[accounting?.currency ?? '', counterparts.join(' '), seller.name, seller.vatId],
    ...[buyer.name, buyer.vatId, model.buyerReference],
  ]);
}

function receiptLine(number: string, { issuedAt, movedAt, method, amountCents, seller, buyer }: ReceiptRow): string {
  const [issuedOn, receivedOn] = [issuedAt, movedAt].map((at) => at.toISOString().slice(0, 10));
  return csvLine([
    ...[number, 'Receipt', issuedOn ?? '', receivedOn ?? '', '', `Top-up: ${method}`, '', '', '', '', ''],
    ...[amount(amountCents), '', '', '', seller.name, seller.vatId, buyer.company || buyer.name, buyer.vatId],
    buyer.reference,
  ]);
}
