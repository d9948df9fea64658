import type { Actor } from '../auth/actor';
import { getOrder } from '../orders/queries';
import { issueInvoices } from './issue';
import { type InvoiceView, invoiceViews } from './views';

/**
 * The documents of an order of the actor's own, for its page.
 * @throws AppError not_found, for another person's order too
 */
export async function readInvoices(actor: Actor, orderId: number): Promise<InvoiceView[]> {
  const order = await getOrder(actor, orderId);
  return invoiceViews(order, await issueInvoices(actor, orderId));
}
