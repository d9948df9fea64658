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

/** An invoice or credit note for display and printing. Amounts in minor units. */
export type InvoiceView = {
  kind: InvoiceKind;
  /** "INV-2026-000012", "CN-2026-000003". */
  number: string;
  issuedAt: string;
  /** The time of the payment or refund. */
  movedAt: string;
  orderId: number;
  seller: { name: string; address: string };
  buyer: { name: string; email: string };
  line: {
    title: string;
    details: string[];
    quantity: number;
    /** In `currency`; null if only a part of the order's price moved. */
    unitPriceMinor: number | null;
    amountMinor: number;
    currency: Currency;
  };
  /** The exchange rate of a price that is not in USD: millionths of a USD per unit. */
  usdMicrosPerUnit: number | null;
  /** USD cents. */
  subtotalCents: number;
  taxCents: number;
  totalCents: number;
  /** The document that reverses this one, or that this one reverses. */
  counterpart: { number: string; at: string } | null;
};

const prefixes: Record<InvoiceKind, string> = { invoice: 'INV', credit_note: 'CN' };

export function invoiceNumber({ kind, year, number }: Pick<InvoiceRow, 'kind' | 'year' | 'number'>): string {
  return `${prefixes[kind]}-${year}-${String(number).padStart(6, '0')}`;
}

/** No tax is charged. */
const taxCents = 0;

/**
 * Builds the documents of one order.
 * @param rows in the order of the movements, so that each credit note follows the invoice it reverses
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
      line: createLine(order, row.amountCents),
      usdMicrosPerUnit: order.currency === walletCurrency ? null : order.usdMicrosPerUnit,
      subtotalCents: row.amountCents,
      taxCents,
      totalCents: row.amountCents + taxCents,
      counterpart: isPair ? { number: invoiceNumber(neighbour), at: neighbour.movedAt.toISOString() } : null,
    };
  });
}

function createLine(order: BilledOrder, amountCents: number): InvoiceView['line'] {
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
