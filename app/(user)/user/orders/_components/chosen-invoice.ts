import type { InvoiceView } from '@/lib/invoices/views';

/** Returns the document with the given number, or the first, which is the order's invoice. */
export function chosenInvoice(invoices: readonly InvoiceView[], number: string): InvoiceView | undefined {
  return invoices.find((invoice) => invoice.number === number) ?? invoices[0];
}
