import { cache } from 'react';
import type { Actor } from '@/lib/access/actor';
import { findByParam } from '@/lib/orders/order/queries';
import { getSellerOrder } from '@/lib/orders/order/seller-queries';

/** Finds an order of a site of the seller, once per request; null for an order of others. */
export const findOrder = cache((actor: Actor, id: string) =>
  findByParam(id, (number) => getSellerOrder(actor, number)),
);
