import { cache } from 'react';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getOrder } from '@/lib/orders/queries';
import { orderIdParams } from '@/lib/orders/schemas';
import type { OrderRow } from '@/lib/orders/views';

/**
 * Finds a buyer's order, once per request.
 * @param id the URL parameter as received
 * @returns null if the order does not exist or is not this buyer's
 */
export const findOrder = cache(async (actor: Actor, id: string): Promise<OrderRow | null> => {
  const params = orderIdParams.safeParse({ id });
  if (!params.success) return null;
  try {
    return await getOrder(actor, params.data.id);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
});
