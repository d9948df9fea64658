import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { InvoiceSheet } from '@/components/invoices/invoice-sheet';
import { MissingInvoice } from '@/components/invoices/missing-invoice';
import type { BillingIdentity, DocumentSeller } from '@/db/schema/tax';
import type { InvoiceRow } from '@/lib/invoices/lines';
import { type InvoiceView, invoiceViews } from '@/lib/invoices/views';
import { defaultBranding } from '@/lib/settings/branding/branding';

const at = new Date(Date.UTC(2026, 10, 21, 23, 30));
const order = {
  id: 12,
  website: '',
  postType: '',
  packageName: 'Starter <b>',
  packageDesc: 'Three posts',
  quantity: 3,
  priceCents: 29_997,
  currency: 'EUR' as const,
  usdMicrosPerUnit: 1_085_000,
  chargedCents: 32_547,
  projectDomain: 'shop.example.com',
  projectTargetUrl: 'https://shop.example.com/spades',
  options: [],
};

const untaxed = { rate: 0, category: 'E' as const, reason: '', text: 'No tax is charged.', country: '' };
const noAddress = { street: '', postcode: '', city: '', region: '', country: '', vatId: '' };
const seller: DocumentSeller = {
  ...{ ...noAddress, name: 'Acme Links', street: '1 Main Street\nDublin', taxNumber: '', registration: '' },
  contact: { name: '', phone: '', email: '' },
};
const buyer: BillingIdentity = {
  ...{ ...noAddress, name: 'Ada', company: '', reference: '', email: 'ada@example.com', vatCheck: null },
};

const row = (changes: Partial<InvoiceRow> = {}): InvoiceRow => ({
  id: 'one',
  kind: 'invoice',
  year: 2026,
  number: 12,
  accountId: 'buyer',
  orderId: order.id,
  movementKey: 'order:12',
  amountCents: 32_547,
  taxCents: 0,
  taxes: [{ ...untaxed, netCents: 32_547, taxCents: 0 }],
  accountingTax: null,
  seller,
  buyer,
  movedAt: at,
  issuedAt: at,
  ...changes,
});
const credit = (changes: Partial<InvoiceRow> = {}) =>
  row({ id: 'two', kind: 'credit_note', number: 3, movementKey: 'refund:12:1', ...changes });

const sheetOf = (invoice: InvoiceView | undefined, branding = {}) => {
  if (!invoice) throw new Error('No document.');
  const markup = renderToStaticMarkup(
    <InvoiceSheet invoice={invoice} branding={{ ...defaultBranding, ...branding }} />,
  );
  return markup.replace(/<[^>]+>/g, '|').replace(/\|+/g, '|');
};

it('an order that cost nothing has no invoice, and none is announced', () => {
  const text = renderToStaticMarkup(<MissingInvoice pending={null} />);
  expect(text).toContain('No invoice for this order');
  expect(text).not.toMatch(/being issued|Check again/);
});

describe('the invoice sheet', () => {
  it("shows the seller's details at the time of issue under the current letterhead", () => {
    const text = sheetOf(invoiceViews(order, [row()])[0], {
      siteName: 'Renamed',
      postalAddress: 'Elsewhere',
      supportEmail: 'help@example.com',
    });
    expect(text).toContain('|Renamed|');
    expect(text).toContain('|From|Acme Links|1 Main Street\nDublin|help@example.com|');
    expect(text).not.toContain('Elsewhere');
    expect(text).toContain('Write to |help@example.com|');
  });

  it('uses an address added later where none was stored, and shows no empty mailto link', () => {
    const invoice = invoiceViews(order, [row({ seller: { ...seller, street: '' } })])[0];
    expect(sheetOf(invoice, { postalAddress: '2 New Road' })).toContain('|From|Acme Links|2 New Road|');
    expect(sheetOf(invoice)).not.toContain('Questions');
  });

  it("shows prices in the order's currency, sums in USD, and no tax", () => {
    const text = sheetOf(invoiceViews(order, [row()])[0]);
    expect(text).toContain('|INV-2026-000012|');
    expect(text).toContain('|November 21, 2026|');
    expect(text).toContain('|Starter &lt;b&gt;|Three posts|');
    expect(text).toContain('|3|€99.99|€299.97|');
    expect(text).toContain('|Exchange rate|1 EUR = 1.085 USD|Subtotal|$325.47|Tax (0%)|$0.00|');
    expect(text).toContain('|Total, paid from the wallet|$325.47|');
  });

  it('links a refund and the invoice that it reverses in both directions', () => {
    const [invoice, note] = invoiceViews(order, [row(), credit()]);
    expect(sheetOf(invoice)).toContain('|Refunded by|CN-2026-000003|');
    expect(sheetOf(note)).toContain('|For invoice|INV-2026-000012|');
    expect(sheetOf(note)).toContain('|Total, returned to the wallet|$325.47|');
  });

  it('names every credit note of an invoice, and says whether they return all of it', () => {
    const part = credit({ id: 'two', movementKey: 'settle:12', amountCents: 10_000 });
    const rest = credit({ id: 'three', number: 4, amountCents: 22_547 });
    const again = row({ id: 'four', number: 13, movementKey: 'recharge:12:1', amountCents: 22_547 });
    const [partly] = invoiceViews(order, [row(), part]);
    expect(sheetOf(partly)).toContain('|Partly refunded|');
    const [invoice, first, second, next] = invoiceViews(order, [row(), part, rest, again]);
    expect(sheetOf(invoice)).toMatch(/\|Refunded\|.*\|Refunded by\|CN-2026-000003\|.*\|CN-2026-000004\|/);
    expect(sheetOf(first)).toContain('|Partial refund of $325.47|');
    // A guarantee that was extended later rewrites no document.
    const extended = { ...order, chargedCents: order.chargedCents + 501 };
    expect(sheetOf(invoiceViews(extended, [row(), part])[1])).toContain('|Partial refund of $325.47|');
    expect(sheetOf(second)).toContain('|For invoice|INV-2026-000012|');
    expect(sheetOf(next)).toContain('|Paid|');
  });

  it('compares what was returned with the net amount of a taxed invoice', () => {
    const tax = { taxCents: 7_486, taxes: [{ ...untaxed, rate: 2_300, netCents: 32_547, taxCents: 7_486 }] };
    expect(sheetOf(invoiceViews(order, [row(tax), credit(tax)])[0])).toContain('|Refunded|');
    expect(sheetOf(invoiceViews(order, [row(tax), credit({ ...tax, amountCents: 32_546 })])[0])).toContain(
      '|Partly refunded|',
    );
  });

  it("omits the order's price on a partial document", () => {
    const [, note] = invoiceViews(order, [row(), credit({ amountCents: 10_000 })]);
    expect(note?.line).toMatchObject({ unitPriceMinor: null, amountMinor: 10_000, currency: 'USD' });
    expect(sheetOf(note)).not.toContain('€');
  });
});
