import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { readInvoices } from '@/lib/invoices/issue';
import type { InvoiceView } from '@/lib/invoices/views';
import { orderIdParams } from '@/lib/orders/schemas';

/**
 * The documents of the order an address names.
 * @param id as it stands in the address
 * @returns none for what is no order of this buyer
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
