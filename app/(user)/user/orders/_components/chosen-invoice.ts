import type { InvoiceView } from '@/lib/invoices/views';

/** The document that an address names, or the first: what the order was billed with. */
export function chosenInvoice(invoices: readonly InvoiceView[], number: string): InvoiceView | undefined {
  return invoices.find((invoice) => invoice.number === number) ?? invoices[0];
}
