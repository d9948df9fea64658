import { formatMoney, walletCurrency } from '@/lib/money';
import { formatRate } from './format-tax';
import { assignCredits, type BilledOrder, createLine, type InvoiceRow } from './lines';
import type { InvoiceModel } from './model';
import { documentNumber } from './numbers';
import { buyerParty, operatorParty } from './parties';

const toDay = (at: Date): string => at.toISOString().slice(0, 10);

const hasSameIds = (one: InvoiceRow, other: InvoiceRow): boolean =>
  one.seller.vatId === other.seller.vatId && one.buyer.vatId === other.buyer.vatId;

/** Describes the VAT ids of an invoice whose parties differ from those of the credit note. */
const describeIds = (invoice: InvoiceRow): string =>
  `${documentNumber(invoice)} has the VAT ids ${invoice.seller.vatId || '(none)'} of the seller and ${invoice.buyer.vatId || '(none)'} of the buyer`;

/**
 * Fills the model of an invoice or credit note from the books.
 * @param rows the documents of the order, in the order of the movements
 * @param row the document, one of them
 */
export function toInvoiceModel(order: BilledOrder, rows: readonly InvoiceRow[], row: InvoiceRow): InvoiceModel {
  const { title, details, quantity, unitPriceMinor, amountMinor, currency } = createLine(order, rows, row);
  const { vatCheck } = row.buyer;
  const isProven = row.taxes.some(({ category }) => category === 'AE') && vatCheck?.requester === row.seller.vatId;
  const consultation = isProven && vatCheck.consultation;
  const preceding = assignCredits(rows).flatMap(({ invoice, credit }) => (credit === row ? [invoice] : []));
  const listed =
    currency !== walletCurrency
      ? [`Listed at ${formatMoney(amountMinor, currency)}, ${formatRate(currency, order.usdMicrosPerUnit)}`]
      : [];
  return {
    code: row.kind === 'invoice' ? '380' : '381',
    number: documentNumber(row),
    issuedOn: toDay(row.issuedAt),
    suppliedOn: toDay(row.movedAt),
    buyerReference: row.buyer.reference,
    orderNumber: String(order.id),
    preceding: preceding.map((invoice) => ({
      ...{ number: documentNumber(invoice), issuedOn: toDay(invoice.issuedAt) },
      ...{ sellerVatId: invoice.seller.vatId, buyerVatId: invoice.buyer.vatId },
    })),
    notes: [
      ...(consultation ? [`VIES consultation number ${consultation}`] : []),
      // It has the parties of the first.
      ...preceding.flatMap((invoice) => (hasSameIds(invoice, row) ? [] : [describeIds(invoice)])),
    ],
    seller: operatorParty(row.seller),
    buyer: buyerParty(row.buyer),
    // A credit note of invoices with different tax has a line for each.
    lines: row.taxes.map((tax) => ({
      title,
      details: [...details, ...listed],
      quantity: unitPriceMinor === null || row.taxes.length > 1 ? 1 : quantity,
      netCents: tax.netCents,
      tax: { rate: tax.rate, category: tax.category },
    })),
    taxes: row.taxes,
    netCents: row.amountCents,
    taxCents: row.taxCents,
    totalCents: row.amountCents + row.taxCents,
    paidCents: row.amountCents + row.taxCents,
    accountingTax: row.accountingTax,
  };
}
