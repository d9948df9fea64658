import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { type OrderInvoices, readInvoices } from '@/lib/invoices/queries';
import { orderIdParams } from '@/lib/orders/schemas';

/**
 * Returns the invoice and credit notes of an order.
 * @param id the URL parameter as received
 * @returns null if the order does not exist or is not this buyer's
 */
export async function findInvoices(actor: Actor, id: string): Promise<OrderInvoices | null> {
  const params = orderIdParams.safeParse({ id });
  if (!params.success) return null;
  try {
    return await readInvoices(actor, params.data.id);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}
