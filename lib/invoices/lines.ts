import type { InferSelectModel } from 'drizzle-orm';
import type { invoices } from '@/db/schema/invoices';
import { type Currency, formatUsd, walletCurrency } from '@/lib/money';
import type { OrderRow } from '@/lib/orders/contract';
import { nameOption } from '@/lib/sites/options/names';
import { assignRefunds } from '@/lib/tax/assign-refunds';

export type InvoiceRow = InferSelectModel<typeof invoices>;

/** The columns of an order that its documents show. */
export type BilledOrder = Pick<
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

/** What was supplied, at its price in the currency of the listing. */
export type BilledLine = {
  title: string;
  details: string[];
  quantity: number;
  /** In `currency`; null if only a part of the order's price moved. */
  unitPriceMinor: number | null;
  amountMinor: number;
  currency: Currency;
};

/** A part of an invoice that a credit note reverses. */
export type Credit = { invoice: InvoiceRow; credit: InvoiceRow; cents: number };

/**
 * Assigns credit notes to the invoices before them.
 * @param rows of one order, in the order of the movements
 */
export function assignCredits(rows: readonly InvoiceRow[]): Credit[] {
  const byKey = new Map(rows.map((row) => [row.movementKey, row]));
  return assignRefunds(rows.map(toMovement)).flatMap(({ chargeKey, refundKey, netCents }) => {
    const [invoice, credit] = [byKey.get(chargeKey), byKey.get(refundKey)];
    return invoice && credit ? [{ invoice, credit, cents: netCents }] : [];
  });
}

/** Returns the movement of money that a document records. */
export const toMovement = ({ kind, movementKey, amountCents }: InvoiceRow) => ({
  kind: kind === 'invoice' ? ('charge' as const) : ('refund' as const),
  key: movementKey,
  netCents: amountCents,
});

/** What is paid apart from the order, by the first part of the movement's key. */
const additions: Readonly<Record<string, string>> = {
  extension: 'Longer guarantee',
  change: 'Change after publication',
};

/**
 * Describes what a document bills or returns.
 * @param rows the documents of the order, in the order of the movements; those after the document do not matter
 * @param row the document, one of them
 */
export function createLine(order: BilledOrder, rows: readonly InvoiceRow[], row: InvoiceRow): BilledLine {
  const { kind, amountCents, movementKey } = row;
  const { website, postType, packageName, packageDesc, quantity, options } = order;
  const [cause = '', id] = movementKey.split(':');
  const extension = options.find((option) => option.isExtension && option.id === id);
  const addition = extension ? nameOption(extension) : additions[cause];
  const isOrder = movementKey === `order:${order.id}`;
  // What was paid later is part of the order's charge, and not of its first invoice.
  const isWhole = amountCents === order.chargedCents || (isOrder && order.currency === walletCurrency);
  const corrected =
    kind === 'credit_note' && !addition ? assignCredits(rows).filter(({ credit }) => credit === row) : [];
  const correctedCents = corrected.reduce((sum, { invoice }) => sum + invoice.amountCents, 0);
  const ofOrder = isOrder ? options.filter(({ isExtension }) => !isExtension) : [];
  const priceMinor = isOrder && order.currency === walletCurrency ? amountCents : order.priceCents;
  return {
    title: addition ? `${addition}: ${website}` : website ? `${postType}: ${website}` : packageName,
    details: [
      addition ? '' : packageDesc,
      `For ${order.projectDomain}, linking to ${order.projectTargetUrl}`,
      ...ofOrder.map((option) => `Including ${nameOption(option)}: ${formatUsd(option.chargedCents)}`),
      correctedCents > amountCents ? `Partial refund of ${formatUsd(correctedCents)}` : '',
    ].filter(Boolean),
    quantity,
    unitPriceMinor: isWhole ? priceMinor / quantity : null,
    amountMinor: isWhole ? priceMinor : amountCents,
    currency: isWhole ? order.currency : walletCurrency,
  };
}
