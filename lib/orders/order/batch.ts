import { and, eq, isNull } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type OrderStatus, orderContents, type orders } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { isOver } from '@/lib/orders/contract';
import { findPlacement, lockOrder } from '@/lib/orders/placements/lock';
import { updateLockedOrder } from './update';

const batchStatuses = ['Processing', 'Completed'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** The number of orders on the largest page of the Orders screen. */
const maxBatch = 200;

/** The selected orders of the Orders screen, and their next status. */
export const batchInput = z.object({
  ids: z
    .array(z.int().min(1).max(2_147_483_647), 'Choose at least one order.')
    .min(1, 'Choose at least one order.')
    .max(maxBatch, `Choose at most ${maxBatch} orders.`)
    .transform((ids) => [...new Set(ids)].sort((a, b) => a - b)),
  status: z.enum(batchStatuses),
});

/** The numbers of the orders, each in one of the lists. */
export type BatchOutcome = {
  changed: number[];
  /** Orders that already had the status. */
  unchanged: number[];
  refused: { id: number; reason: string }[];
};

/**
 * The statuses that a batch leaves. Others require a decision about one order: leaving Refunded charges the buyer again,
 * and a Pending order has not been worked on. So do the orders that a seller fulfills, in any status: a new status would
 * accept for the seller, approve for the buyer, or end a guarantee.
 */
const sources: Record<BatchStatus, readonly OrderStatus[]> = {
  Processing: ['Pending'],
  Completed: ['Processing', 'Live'],
};

/**
 * Sets the status of several orders, in the order of their numbers. Each order is updated in a transaction of its own by
 * the verb for one order, with its checks, audit line, mail and transfers: a refused order does not undo the others. The
 * status is compared under the lock of the order, so that of the same batch sent twice at once, each order is changed by
 * one.
 * @returns what happened to each order
 */
export async function updateOrders(actor: Actor, { ids, status }: z.output<typeof batchInput>): Promise<BatchOutcome> {
  const outcome: BatchOutcome = { changed: [], unchanged: [], refused: [] };
  for (const id of ids) {
    try {
      outcome[await updateOne(actor, id, status)].push(id);
    } catch (thrown) {
      // A failure that is not about the order ends the batch; sent again, it continues.
      if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown;
      outcome.refused.push({ id, reason: thrown.message });
    }
  }
  return outcome;
}

const updateOne = (actor: Actor, id: number, status: BatchStatus): Promise<'changed' | 'unchanged'> =>
  db().transaction(async (tx) => {
    const order = await lockOrder(tx, id);
    if (order.status === status) return 'unchanged';
    if (!sources[status].includes(order.status))
      throw new AppError('conflict', `Order #${id} is ${order.status}: open it to change its status.`);
    const locked = await findPlacement(tx, order);
    if (locked && !isOver(locked.placement))
      throw new AppError('conflict', `A seller fulfills order #${id}: open it to change its status.`);
    if (status === 'Completed' && !(await hasDelivery(tx, order)))
      throw new AppError('conflict', `Order #${id} has no live link: open it to enter the link.`);
    await updateLockedOrder(tx, actor, order, locked, { status });
    return 'changed';
  });

/** Checks whether an order has its live link, or a package its file. */
async function hasDelivery(tx: Executor, { id, website, linkUrl }: typeof orders.$inferSelect): Promise<boolean> {
  if (linkUrl !== '' || website !== '') return linkUrl !== '';
  const ofOrder = and(eq(orderContents.orderId, id), isNull(orderContents.replacedAt));
  return (await tx.select({ id: orderContents.id }).from(orderContents).where(ofOrder)).length > 0;
}
