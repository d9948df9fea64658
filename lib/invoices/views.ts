import type { InvoiceKind } from '@/db/schema/invoices';
import { walletCurrency } from '@/lib/money';
import { formatAddress } from '@/lib/tax/format-address';
import { findMissing } from './find-missing';
import { assignCredits, type BilledLine, type BilledOrder, createLine, type InvoiceRow } from './lines';
import type { InvoiceModel } from './model';
import { documentNumber } from './numbers';
import { listIds } from './parties';
import { toInvoiceModel } from './to-invoice-model';

/** An invoice or credit note for display and printing. Amounts in minor units. */
export type InvoiceView = Pick<InvoiceModel, 'taxes' | 'notes' | 'accountingTax' | 'buyerReference'> & {
  kind: InvoiceKind;
  /** "INV-2026-000012", "CN-2026-000003". */
  number: string;
  issuedAt: string;
  /** The time of the payment or refund. */
  movedAt: string;
  orderId: number;
  /** The address has several lines. `hasIdentity`: the operator's identity was set at the issue. */
  seller: { name: string; address: string; ids: string[]; hasIdentity: boolean };
  /** `name` is the company, or the person. */
  buyer: { name: string; email: string; address: string; ids: string[] };
  line: BilledLine;
  /** The exchange rate of a price that is not in USD: millionths of a USD per unit. */
  usdMicrosPerUnit: number | null;
  /** USD cents. */
  subtotalCents: number;
  taxCents: number;
  totalCents: number;
  /** The credit notes of an invoice, oldest first; the invoice that a credit note reverses, whole or in part. */
  counterparts: { number: string; at: string }[];
  /** What the credit notes of an invoice return without tax, in USD cents; 0 for a credit note. */
  creditedCents: number;
  /** Whether there are structured formats beside the PDF. */
  hasStructuredFormats: boolean;
};

/**
 * Builds the documents of one order.
 * @param rows in the order of the movements
 */
export function invoiceViews(order: BilledOrder, rows: InvoiceRow[]): InvoiceView[] {
  const credits = assignCredits(rows);
  return rows.map((row) => {
    const own = credits.filter(({ invoice, credit }) => invoice === row || credit === row);
    const counterparts = own.map(({ invoice, credit }) => (row.kind === 'invoice' ? credit : invoice));
    const model = toInvoiceModel(order, rows, row);
    const { number, taxes, notes, accountingTax, buyerReference, seller, buyer } = model;
    return {
      ...{ kind: row.kind, number, taxes, notes, accountingTax, buyerReference },
      issuedAt: row.issuedAt.toISOString(),
      movedAt: row.movedAt.toISOString(),
      orderId: order.id,
      seller: {
        ...{ name: seller.name, address: formatAddress(seller), ids: listIds(seller) },
        hasIdentity: seller.country !== '',
      },
      buyer: {
        ...{ name: row.buyer.company || row.buyer.name, email: buyer.email },
        ...{ address: formatAddress(buyer), ids: listIds(buyer) },
      },
      line: createLine(order, rows, row),
      usdMicrosPerUnit: order.currency === walletCurrency ? null : order.usdMicrosPerUnit,
      subtotalCents: row.amountCents,
      taxCents: row.taxCents,
      totalCents: model.totalCents,
      counterparts: counterparts.map((other) => ({ number: documentNumber(other), at: other.movedAt.toISOString() })),
      creditedCents: row.kind === 'invoice' ? own.reduce((sum, { cents }) => sum + cents, 0) : 0,
      hasStructuredFormats: Object.keys(findMissing(model)).length === 0,
    };
  });
}
