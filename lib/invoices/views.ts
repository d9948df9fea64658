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
> & {
  /** The listed price without what was added to the order later, in minor units of `currency`. */
  basePriceCents: number;
};

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
      // The refund of an order returns its paid changes as well.
      creditedCents:
        row.kind === 'invoice'
          ? Math.min(
              counterparts.reduce((sum, { amountCents }) => sum + amountCents, 0),
              row.amountCents,
            )
          : 0,
    };
  });
}

/** Returns what a document is for: `change:<id>` for a paid change, `extension:<id>`, otherwise the order itself. */
const subjectOf = ({ movementKey }: InvoiceRow): string =>
  /^(?:change|extension):[^:]+/.exec(movementKey)?.[0] ?? 'order';

/** Lists the credit notes between an invoice and the next one for the same, or the invoice of a credit note. */
function listCounterparts(all: InvoiceRow[], index: number): InvoiceRow[] {
  const row = all[index];
  if (!row) return [];
  const isSame = (other: InvoiceRow) => subjectOf(other) === subjectOf(row);
  if (row.kind !== 'invoice') return all.slice(0, index).filter(isSame).filter(isInvoice).slice(-1);
  const following = all.slice(index + 1).filter(isSame);
  const next = following.findIndex(isInvoice);
  return next === -1 ? following : following.slice(0, next);
}

const isInvoice = ({ kind }: InvoiceRow) => kind === 'invoice';

/** What was paid for apart from the order, by the beginning of the document's subject. */
const additions = { change: 'Paid change', extension: 'Longer guarantee' };

function createLine(order: BilledOrder, row: InvoiceRow): InvoiceView['line'] {
  const { kind, amountCents, movementKey } = row;
  const { website, postType, packageName, packageDesc, quantity } = order;
  const [subject = ''] = subjectOf(row).split(':');
  if (subject === 'change' || subject === 'extension')
    return {
      title: `${additions[subject]}: ${website}`,
      details: [`${postType}, for ${order.projectDomain}`],
      quantity: 1,
      unitPriceMinor: amountCents,
      amountMinor: amountCents,
      currency: walletCurrency,
    };
  const isOrder = movementKey === `order:${order.id}`;
  const isWhole = isOrder || amountCents === order.chargedCents;
  const priceCents = isOrder ? order.basePriceCents : order.priceCents;
  const isPartialRefund = kind === 'credit_note' && !isWhole;
  return {
    title: website ? `${postType}: ${website}` : packageName,
    details: [
      packageDesc,
      `For ${order.projectDomain}, linking to ${order.projectTargetUrl}`,
      isPartialRefund ? `Partial refund of ${formatUsd(order.chargedCents)}` : '',
    ].filter(Boolean),
    quantity,
    unitPriceMinor: isWhole ? priceCents / quantity : null,
    amountMinor: isWhole ? priceCents : amountCents,
    currency: isWhole ? order.currency : walletCurrency,
  };
}
