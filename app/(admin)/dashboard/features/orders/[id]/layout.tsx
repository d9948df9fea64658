import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { requirePage } from '@/lib/auth/page-guard';
import { findByParam, getAdminOrder } from '@/lib/orders/order/queries';

type OrderLayoutProps = { params: Promise<{ id: string }>; children: ReactNode };

/** Loads the order outside loading.tsx, within which a 404 is no longer possible. */
export default async function AdminOrderLayout({ params, children }: OrderLayoutProps) {
  await requirePage('admin', 'ManageOrders');
  if (!(await findByParam((await params).id, getAdminOrder))) notFound();
  return children;
}
