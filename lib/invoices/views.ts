import type { InferSelectModel } from 'drizzle-orm';
import type { InvoiceKind, invoices } from '../../db/schema/invoices';
import { type Currency, walletCurrency } from '../money';
import type { OrderRow } from '../orders/views';

export type InvoiceRow = InferSelectModel<typeof invoices>;

type BilledOrder = Pick<
  OrderRow,
  | 'id'
  | 'website'
  | 'postType'
  | 'packageName'
  | 'packageDesc'
  | 'quantity'
  | 'priceCents'
  | 'currency'
  | 'usdMicrosPerUnit'
  | 'chargedCents'
  | 'projectDomain'
  | 'projectTargetUrl'
>;

/** An invoice or credit note as it is shown and printed. Amounts in minor units. */
export type InvoiceView = {
  kind: InvoiceKind;
  /** "INV-2026-000012", "CN-2026-000003". */
  number: string;
  issuedAt: string;
  /** When the wallet paid, or got its money back. */
  movedAt: string;
  orderId: number;
  seller: { name: string; address: string };
  buyer: { name: string; email: string };
  line: {
    title: string;
    details: string[];
    quantity: number;
    /** In `currency`; null where a part of the order moved, which the order's price says nothing about. */
    unitPriceMinor: number | null;
    amountMinor: number;
    currency: Currency;
  };
  /** What the price was charged at, where it is not in USD: millionths of a USD for one unit. */
  usdMicrosPerUnit: number | null;
  /** USD cents. */
  subtotalCents: number;
  taxCents: number;
  totalCents: number;
  /** The document that undoes this one, or that this one undoes. */
  counterpart: { number: string; at: string } | null;
};

const marks: Record<InvoiceKind, string> = { invoice: 'INV', credit_note: 'CN' };

export function invoiceNumber({ kind, year, number }: Pick<InvoiceRow, 'kind' | 'year' | 'number'>): string {
  return `${marks[kind]}-${year}-${String(number).padStart(6, '0')}`;
}

/** Tax on invoices is 0 (spec 001, section 9). */
const taxCents = 0;

/**
 * The documents of one order.
 * @param rows in the order the money moved, so that each credit note follows the invoice it undoes
 */
export function invoiceViews(order: BilledOrder, rows: InvoiceRow[]): InvoiceView[] {
  return rows.map((row, index) => {
    const neighbour = rows[row.kind === 'invoice' ? index + 1 : index - 1];
    const isPair = neighbour !== undefined && neighbour.kind !== row.kind;
    return {
      kind: row.kind,
      number: invoiceNumber(row),
      issuedAt: row.issuedAt.toISOString(),
      movedAt: row.movedAt.toISOString(),
      orderId: order.id,
      seller: { name: row.sellerName, address: row.sellerAddress },
      buyer: { name: row.buyerName, email: row.buyerEmail },
      line: lineOf(order, row.amountCents),
      usdMicrosPerUnit: order.currency === walletCurrency ? null : order.usdMicrosPerUnit,
      subtotalCents: row.amountCents,
      taxCents,
      totalCents: row.amountCents + taxCents,
      counterpart: isPair ? { number: invoiceNumber(neighbour), at: neighbour.movedAt.toISOString() } : null,
    };
  });
}

function lineOf(order: BilledOrder, amountCents: number): InvoiceView['line'] {
  const isWhole = amountCents === order.chargedCents;
  const { website, postType, packageName, packageDesc, quantity } = order;
  return {
    title: website ? `${postType}: ${website}` : packageName,
    details: [packageDesc, `For ${order.projectDomain}, linking to ${order.projectTargetUrl}`].filter(Boolean),
    quantity,
    unitPriceMinor: isWhole ? order.priceCents / quantity : null,
    amountMinor: isWhole ? order.priceCents : amountCents,
    currency: isWhole ? order.currency : walletCurrency,
  };
}
