import type { ReactNode } from 'react';
import { loadInvoices } from './_components/load-invoices';

type InvoiceLayoutProps = { params: Promise<{ id: string }>; children: ReactNode };

/** Looks for the documents outside loading.tsx: once that is on its way, so is the status, and a 404 comes too late. */
export default async function InvoiceLayout({ params, children }: InvoiceLayoutProps) {
  await loadInvoices((await params).id);
  return children;
}
