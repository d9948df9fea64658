import { cache } from 'react';
import type { Actor } from '@/lib/access/actor';
import { findByParam } from '@/lib/orders/find-by-param';
import { getSellerOrder } from '@/lib/orders/placements/seller-queries';

/** Finds an order of a site of the seller, once per request; null for an order of others. */
export const findOrder = cache((actor: Actor, id: string) =>
  findByParam(id, (number) => getSellerOrder(actor, number)),
);
