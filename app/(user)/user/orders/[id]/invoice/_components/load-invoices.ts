import { notFound } from 'next/navigation';
import { cache } from 'react';
import { requirePage } from '@/lib/auth/page-guard';
import type { InvoiceView } from '@/lib/invoices/views';
import { findInvoices } from '../../../_components/find-invoices';

/**
 * Returns the invoice and credit notes of the user's own order.
 * @throws notFound() if there are none
 */
export const loadInvoices = cache(async (id: string): Promise<InvoiceView[]> => {
  const invoices = await findInvoices(await requirePage('user', 'session'), id);
  if (invoices.length === 0) notFound();
  return invoices;
});
