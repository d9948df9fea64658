import type { ReactNode } from 'react';
import { loadInvoices } from '@/app/(user)/user/orders/_components/find-order';

type InvoiceLayoutProps = { params: Promise<{ id: string }>; children: ReactNode };

/**
 * Loads the documents outside loading.tsx. Inside its Suspense boundary, the response has already started with status
 * 200 and a 404 is no longer possible.
 */
export default async function InvoiceLayout({ params, children }: InvoiceLayoutProps) {
  await loadInvoices((await params).id);
  return children;
}
