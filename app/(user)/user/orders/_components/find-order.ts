import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getOrder } from '@/lib/orders/queries';
import { orderIdParams } from '@/lib/orders/schemas';
import type { OrderRow } from '@/lib/orders/views';

/**
 * The order an address names.
 * @param id as it stands in the address
 * @returns null for what is no order of this buyer
 */
export async function findOrder(actor: Actor, id: string): Promise<OrderRow | null> {
  const params = orderIdParams.safeParse({ id });
  if (!params.success) return null;
  try {
    return await getOrder(actor, params.data.id);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}
