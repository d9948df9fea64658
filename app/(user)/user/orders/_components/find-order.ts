import { cache } from 'react';
import type { Actor } from '@/lib/access/actor';
import { findByParam } from '@/lib/orders/find-by-param';
import { getOrder } from '@/lib/orders/queries';

/** Finds a buyer's order, once per request; null for an order of others. */
export const findOrder = cache((actor: Actor, id: string) => findByParam(id, (number) => getOrder(actor, number)));
