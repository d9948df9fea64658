import { and, desc, eq, inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import { isOpenChange, orderChanges } from '@/db/schema/order-changes';
import type { OrderRow } from '@/lib/orders/contract';
import type { Change } from './contract';
import { getChangePrice, notOffered } from './price';
import { findWatch, getChangeRefusal } from './require-link';

/** Lists the changes of an order, newest first. */
export const listChanges = (orderId: number): Promise<Change[]> =>
  db().select().from(orderChanges).where(eq(orderChanges.orderId, orderId)).orderBy(desc(orderChanges.id)).limit(100);

/** Reads the states of the open changes of orders. */
export async function listOpenChanges(orderIds: readonly number[]): Promise<Map<number, Change['state']>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db()
    .select({ orderId: orderChanges.orderId, state: orderChanges.state })
    .from(orderChanges)
    .where(and(inArray(orderChanges.orderId, [...orderIds]), isOpenChange));
  return new Map(rows.map(({ orderId, state }) => [orderId, state]));
}

/** Returns what a change of an order costs the buyer now, or why none can be asked for. */
export async function offerChange(
  order: OrderRow,
): Promise<{ priceCents: number; reason: null } | { priceCents: null; reason: string }> {
  const { id, placement } = order;
  if (!placement) return { priceCents: null, reason: `Order #${id} is not fulfilled by a seller.` };
  const refusal = getChangeRefusal({ order, placement }, await findWatch(db(), id));
  if (refusal !== null) return { priceCents: null, reason: refusal };
  if ((await listOpenChanges([id])).size > 0)
    return { priceCents: null, reason: `Order #${id} has an open change already.` };
  const price = await getChangePrice(db(), { order, placement });
  if (!price) return { priceCents: null, reason: notOffered };
  return { priceCents: price.sellerCents + price.marginCents, reason: null };
}
