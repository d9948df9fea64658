import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { readInvoices } from '@/lib/invoices/issue';
import type { InvoiceView } from '@/lib/invoices/views';
import { orderIdParams } from '@/lib/orders/schemas';

/**
 * Lists the invoice and credit notes of an order.
 * @param id the URL parameter as received
 * @returns an empty list if the order does not exist or is not this buyer's
 */
export async function findInvoices(actor: Actor, id: string): Promise<InvoiceView[]> {
  const params = orderIdParams.safeParse({ id });
  if (!params.success) return [];
  try {
    return await readInvoices(actor, params.data.id);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return [];
    throw thrown;
  }
}
