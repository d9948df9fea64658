import type { InferSelectModel } from 'drizzle-orm';
import type { InvoiceKind, invoices } from '@/db/schema/invoices';
import { type Currency, formatUsd, walletCurrency } from '@/lib/money';
import type { OrderRow } from '@/lib/orders/contract';

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
  /** The credit notes of an invoice, oldest first; the invoice that a credit note reverses, whole or in part. */
  counterparts: { number: string; at: string }[];
  /** What the credit notes of an invoice return, in USD cents; 0 for a credit note. */
  creditedCents: number;
};

const prefixes: Record<InvoiceKind, string> = { invoice: 'INV', credit_note: 'CN' };

export function invoiceNumber({ kind, year, number }: Pick<InvoiceRow, 'kind' | 'year' | 'number'>): string {
  return `${prefixes[kind]}-${year}-${String(number).padStart(6, '0')}`;
}

/** No tax is charged. */
const taxCents = 0;

/**
 * Builds the documents of one order.
 * @param rows in the order of the movements: the credit notes of an invoice follow it, up to the next invoice
 */
export function invoiceViews(order: BilledOrder, rows: InvoiceRow[]): InvoiceView[] {
  return rows.map((row, index) => {
    const counterparts = listCounterparts(rows, index);
    return {
      kind: row.kind,
      number: invoiceNumber(row),
      issuedAt: row.issuedAt.toISOString(),
      movedAt: row.movedAt.toISOString(),
      orderId: order.id,
      seller: { name: row.sellerName, address: row.sellerAddress },
      buyer: { name: row.buyerName, email: row.buyerEmail },
      line: createLine(order, row),
      usdMicrosPerUnit: order.currency === walletCurrency ? null : order.usdMicrosPerUnit,
      subtotalCents: row.amountCents,
      taxCents,
      totalCents: row.amountCents + taxCents,
      counterparts: counterparts.map((other) => ({ number: invoiceNumber(other), at: other.movedAt.toISOString() })),
      creditedCents: row.kind === 'invoice' ? counterparts.reduce((sum, { amountCents }) => sum + amountCents, 0) : 0,
    };
  });
}

/** Lists the credit notes between an invoice and the next one, or the invoice of a credit note. */
function listCounterparts(rows: InvoiceRow[], index: number): InvoiceRow[] {
  if (rows[index]?.kind !== 'invoice') return rows.slice(0, index).filter(isInvoice).slice(-1);
  const following = rows.slice(index + 1);
  const next = following.findIndex(isInvoice);
  return next === -1 ? following : following.slice(0, next);
}

const isInvoice = ({ kind }: InvoiceRow) => kind === 'invoice';

function createLine(order: BilledOrder, { kind, amountCents }: InvoiceRow): InvoiceView['line'] {
  const isWhole = amountCents === order.chargedCents;
  const isPartialRefund = kind === 'credit_note' && !isWhole;
  const { website, postType, packageName, packageDesc, quantity } = order;
  return {
    title: website ? `${postType}: ${website}` : packageName,
    details: [
      packageDesc,
      `For ${order.projectDomain}, linking to ${order.projectTargetUrl}`,
      isPartialRefund ? `Partial refund of ${formatUsd(order.chargedCents)}` : '',
    ].filter(Boolean),
    quantity,
    unitPriceMinor: isWhole ? order.priceCents / quantity : null,
    amountMinor: isWhole ? order.priceCents : amountCents,
    currency: isWhole ? order.currency : walletCurrency,
  };
}
