import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { orderBriefs, placements } from '@/db/schema/placements';
import { seesRow } from '@/lib/access/account-roles';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import type { WantedLink } from '@/lib/links/judge-page';
import { getPlacementRules, type PlacementRules } from '@/lib/settings/placement-rules';

type Order = typeof orders.$inferSelect;
type Placement = typeof placements.$inferSelect;
type Brief = typeof orderBriefs.$inferSelect;

export const orderNotFoundError = (id: number): AppError =>
  new AppError('not_found', `Order #${id} does not exist or was deleted.`);

const selectForUpdate = (tx: Executor, id: number) =>
  tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), isNull(orders.deletedAt)))
    .for('no key update');

/**
 * Locks an order for an update.
 * @throws AppError not_found, also for a deleted order
 */
export async function lockOrder(tx: Executor, id: number): Promise<Order> {
  const [order] = await selectForUpdate(tx, id);
  if (!order) throw orderNotFoundError(id);
  return order;
}

/**
 * An order and its placement under lock, with what their steps depend on, which the transaction reads once. `now` is the
 * database's time at the start of the transaction.
 */
export type LockedPlacement = {
  order: Order;
  placement: Placement;
  /** Null for an order without a brief. Buyers change it only under the lock of the order. */
  brief: Brief | null;
  rules: PlacementRules;
  now: Date;
};

/** Whose placement it must be: that of an order which the buyer sees, or of the seller. */
export type PlacementOwner = { buyer?: AccountScope & Pick<Actor, 'userId'>; sellerId?: string };

/**
 * Locks an order and then its placement.
 * @throws AppError not_found for a missing or deleted order and for one of another user; conflict for an order without a
 * placement; forbidden for a buyer who is its seller
 */
export async function lockPlacement(
  tx: Executor,
  orderId: number,
  owner: PlacementOwner = {},
): Promise<LockedPlacement> {
  const order = await lockOrder(tx, orderId);
  if (owner.buyer && !seesRow(owner.buyer, order)) throw orderNotFoundError(orderId);
  const locked = await findPlacement(tx, order);
  if (owner.sellerId !== undefined && owner.sellerId !== locked?.placement.sellerId) throw orderNotFoundError(orderId);
  if (!locked) throw new AppError('conflict', `Order #${orderId} is not fulfilled by a seller.`);
  if (owner.buyer) requireOthersDelivery(owner.buyer, locked.placement);
  return locked;
}

/** Refuses a seller who joined the team of the buyer, and would act for both sides. @throws AppError forbidden */
export function requireOthersDelivery({ userId }: Pick<Actor, 'userId'>, { sellerId }: { sellerId: string }): void {
  if (userId !== sellerId) return;
  throw new AppError('forbidden', 'You fulfill this order. Another member of the account must do this.');
}

/** Locks an order and then its placement, for jobs; null for a missing or deleted order and for one without a placement. */
export async function findAndLockPlacement(tx: Executor, orderId: number): Promise<LockedPlacement | null> {
  const [order] = await selectForUpdate(tx, orderId);
  return order ? findPlacement(tx, order) : null;
}

/** Locks the placement of a locked order; null if it has none. */
export async function findPlacement(tx: Executor, order: Order): Promise<LockedPlacement | null> {
  const [row] = await tx
    .select({ placement: placements, brief: orderBriefs, now: sql`now()`.mapWith(placements.createdAt) })
    .from(placements)
    .leftJoin(orderBriefs, eq(orderBriefs.orderId, placements.orderId))
    .where(eq(placements.orderId, order.id))
    .for('no key update', { of: placements });
  return row ? { order, ...row, rules: await getPlacementRules(tx) } : null;
}

/** Finds the brief of an order without a placement; `findPlacement` returns that of the others. */
export async function findBrief(tx: Executor, orderId: number): Promise<Brief | null> {
  const [brief] = await tx.select().from(orderBriefs).where(eq(orderBriefs.orderId, orderId));
  return brief ?? null;
}

/**
 * Returns the link that an order asks for. Without a target the order has no link to look for.
 * @param pageUrl stands in for the site of an order without one
 */
export function getRequestedLink(
  { order, brief }: Pick<LockedPlacement, 'order' | 'brief'>,
  pageUrl: string,
): WantedLink {
  return {
    siteDomain: order.website || pageUrl,
    targetUrl: brief?.targetUrl || order.projectTargetUrl,
    anchor: brief?.anchor ?? '',
    rel: brief?.rel ?? 'any',
  };
}

/** Marks orders in which buyer or seller wrote contact data, so that staff find them on the desk. */
export async function markContactData(tx: Executor, orderIds: readonly number[]): Promise<void> {
  if (orderIds.length === 0) return;
  await tx
    .update(orders)
    // The buyer sees the time of the last update.
    .set({ contactDataAt: sql`now()`, updatedAt: sql`${orders.updatedAt}` })
    .where(inArray(orders.id, [...orderIds]));
}
