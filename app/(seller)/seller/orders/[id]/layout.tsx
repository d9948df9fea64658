import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { findOrder } from '@/app/(seller)/seller/orders/_components/find-order';
import { requirePage } from '@/lib/auth/page-guard';

type OrderLayoutProps = { params: Promise<{ id: string }>; children: ReactNode };

/** Loads the order outside loading.tsx, within which a 404 is no longer possible. */
export default async function SellerOrderLayout({ params, children }: OrderLayoutProps) {
  const actor = await requirePage('seller', 'seller');
  if (!(await findOrder(actor, (await params).id))) notFound();
  return children;
}
