import { notFound } from 'next/navigation';
import { cache } from 'react';
import { findInvoices } from '@/app/(user)/user/orders/_components/find-invoices';
import { requirePage } from '@/lib/auth/page-guard';
import type { OrderInvoices } from '@/lib/invoices/queries';

/**
 * Returns the invoice and credit notes of the user's own order.
 * @throws notFound() if the order does not exist or is not this user's
 */
export const loadInvoices = cache(async (id: string): Promise<OrderInvoices> => {
  const found = await findInvoices(await requirePage('user', 'session'), id);
  if (!found) notFound();
  return found;
});
