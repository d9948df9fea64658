import type { InferSelectModel } from 'drizzle-orm';
import type { InvoiceKind, invoices } from '@/db/schema/invoices';
import { type Currency, formatUsd, walletCurrency } from '@/lib/money';
import type { OrderRow } from '@/lib/orders/contract';
import { nameOption } from '@/lib/sites/options/names';
import { assignRefunds } from '@/lib/tax/assign-refunds';

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
  | 'options'
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
 * @param rows in the order of the movements
 */
export function invoiceViews(order: BilledOrder, rows: InvoiceRow[]): InvoiceView[] {
  const credits = assignCredits(rows);
  return rows.map((row) => {
    const own = credits.filter(({ invoice, credit }) => invoice === row || credit === row);
    const counterparts = own.map(({ invoice, credit }) => (row.kind === 'invoice' ? credit : invoice));
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
      creditedCents: row.kind === 'invoice' ? own.reduce((sum, { cents }) => sum + cents, 0) : 0,
    };
  });
}

/** A part of an invoice that a credit note reverses. */
type Credit = { invoice: InvoiceRow; credit: InvoiceRow; cents: number };

function assignCredits(rows: readonly InvoiceRow[]): Credit[] {
  const byKey = new Map(rows.map((row) => [row.movementKey, row]));
  const movements = rows.map(({ kind, movementKey, amountCents }) => ({
    kind: kind === 'invoice' ? ('charge' as const) : ('refund' as const),
    key: movementKey,
    netCents: amountCents,
  }));
  return assignRefunds(movements).flatMap(({ chargeKey, refundKey, netCents }) => {
    const [invoice, credit] = [byKey.get(chargeKey), byKey.get(refundKey)];
    return invoice && credit ? [{ invoice, credit, cents: netCents }] : [];
  });
}

/** What is paid apart from the order, by the first part of the movement's key. */
const additions: Readonly<Record<string, string>> = {
  extension: 'Longer guarantee',
  change: 'Change after publication',
};

function createLine(order: BilledOrder, { kind, amountCents, movementKey }: InvoiceRow): InvoiceView['line'] {
  const { website, postType, packageName, packageDesc, quantity, options } = order;
  const [cause = '', id] = movementKey.split(':');
  const extension = options.find((option) => option.isExtension && option.id === id);
  const addition = extension ? nameOption(extension) : additions[cause];
  const isOrder = movementKey === `order:${order.id}`;
  // What was paid later is part of the order's charge, and not of its first invoice.
  const isWhole = amountCents === order.chargedCents || (isOrder && order.currency === walletCurrency);
  const isPartialRefund = kind === 'credit_note' && !addition && amountCents !== order.chargedCents;
  const ofOrder = isOrder ? options.filter(({ isExtension }) => !isExtension) : [];
  const priceMinor = isOrder && order.currency === walletCurrency ? amountCents : order.priceCents;
  return {
    title: addition ? `${addition}: ${website}` : website ? `${postType}: ${website}` : packageName,
    details: [
      addition ? '' : packageDesc,
      `For ${order.projectDomain}, linking to ${order.projectTargetUrl}`,
      ...ofOrder.map((option) => `Including ${nameOption(option)}: ${formatUsd(option.chargedCents)}`),
      isPartialRefund ? `Partial refund of ${formatUsd(order.chargedCents)}` : '',
    ].filter(Boolean),
    quantity,
    unitPriceMinor: isWhole ? priceMinor / quantity : null,
    amountMinor: isWhole ? priceMinor : amountCents,
    currency: isWhole ? order.currency : walletCurrency,
  };
}
