import { notFound } from 'next/navigation';
import { cache } from 'react';
import type { Actor } from '@/lib/access/actor';
import { requirePage } from '@/lib/auth/page-guard';
import { AppError } from '@/lib/errors';
import { listInvoices, type OrderInvoices } from '@/lib/invoices/queries';
import type { InvoiceView } from '@/lib/invoices/views';
import { findByParam, getOrder } from '@/lib/orders/order/queries';
import { orderIdParams } from '@/lib/orders/order/schemas';
import { listNofollowSites } from '@/lib/sites/catalogue/listed-sites';

/** Checks whether the site of an order publishes Dofollow links, as far as it is still listed; true for a package. */
export const isSiteDofollow = async (siteId: number | null): Promise<boolean> =>
  siteId === null || !(await listNofollowSites([siteId])).has(siteId);

/** Finds a buyer's order; null for an order of others. */
export const findOrder = (actor: Actor, id: string) => findByParam(id, (number) => getOrder(actor, number));

/**
 * Returns the invoice and credit notes of an order.
 * @param id the URL parameter as received
 * @returns null if the order does not exist or is not this buyer's
 */
export async function findInvoices(actor: Actor, id: string): Promise<OrderInvoices | null> {
  const params = orderIdParams.safeParse({ id });
  if (!params.success) return null;
  try {
    return await listInvoices(actor, params.data.id);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}

/** Returns the document with the given number, or the first, which is the order's invoice. */
export function chosenInvoice(invoices: readonly InvoiceView[], number: string): InvoiceView | undefined {
  return invoices.find((invoice) => invoice.number === number) ?? invoices[0];
}

/**
 * Returns the invoice and credit notes of the user's own order.
 * @throws notFound() if the order does not exist or is not this user's
 */
export const loadInvoices = cache(async (id: string): Promise<OrderInvoices> => {
  const found = await findInvoices(await requirePage('user', 'account:documents'), id);
  if (!found) notFound();
  return found;
});
