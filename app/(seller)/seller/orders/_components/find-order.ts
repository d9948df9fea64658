import { cache } from 'react';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { getSellerOrder, type SellerOrderRow } from '@/lib/orders/placements/seller-queries';
import { orderIdParams } from '@/lib/orders/schemas';

/**
 * Finds an order of a site of the seller, once per request.
 * @param id the URL parameter as received
 * @returns null if the order does not exist or is not this seller's
 */
export const findOrder = cache(async (actor: Actor, id: string): Promise<SellerOrderRow | null> => {
  const params = orderIdParams.safeParse({ id });
  if (!params.success) return null;
  try {
    return await getSellerOrder(actor, params.data.id);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
});
