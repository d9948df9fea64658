import { cache } from 'react';
import { currentActor } from '@/lib/auth/current-actor';
import { AppError } from '@/lib/errors';
import { readInvoices } from '@/lib/invoices/read';
import type { InvoiceView } from '@/lib/invoices/views';
import { orderIdParams } from '@/lib/orders/schemas';

/** The documents of the order that an address names, once for a request; none of what is no order of the reader's own. */
export const loadInvoices = cache(async (id: string): Promise<InvoiceView[]> => {
  const [actor, params] = [await currentActor(), orderIdParams.safeParse({ id })];
  if (!actor || !params.success) return [];
  try {
    return await readInvoices(actor, params.data.id);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return [];
    throw thrown;
  }
});

/** The document that an address names, or the first: what the order was billed with. */
export function chosenInvoice(invoices: readonly InvoiceView[], number: string): InvoiceView | undefined {
  return invoices.find((invoice) => invoice.number === number) ?? invoices[0];
}
