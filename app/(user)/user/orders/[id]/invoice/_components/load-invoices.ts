import { notFound } from 'next/navigation';
import { cache } from 'react';
import { requirePage } from '@/lib/auth/page-guard';
import type { InvoiceView } from '@/lib/invoices/views';
import { findInvoices } from '../../../_components/find-invoices';

/** The documents of the reader's own order that an address names. Answers like a page that is not there without one. */
export const loadInvoices = cache(async (id: string): Promise<InvoiceView[]> => {
  const invoices = await findInvoices(await requirePage('user', 'session'), id);
  if (invoices.length === 0) notFound();
  return invoices;
});
