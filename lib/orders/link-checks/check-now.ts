import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { type CheckCause, type linkChecks, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { orderNotFoundError } from '@/lib/orders/queries';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { checkLink } from './run';

type Owner = { buyerId: string } | { sellerId: string } | 'staff';

/**
 * Checks the link of an order at once, and does what follows from the result, as for a check of the schedule.
 * @param owner finds only an order of this buyer or a placement of this seller
 * @throws AppError not_found, also for an order of another user; conflict for an order whose link is not checked;
 * rate_limited
 */
export async function checkLinkNow(
  actor: Actor,
  orderId: number,
  owner: Owner,
  cause: Extract<CheckCause, 'buyer' | 'repair' | 'staff'>,
): Promise<typeof linkChecks.$inferSelect> {
  const [{ watch } = { watch: undefined }] = await db()
    .select({ watch: linkWatches })
    .from(linkWatches)
    .innerJoin(orders, eq(orders.id, linkWatches.orderId))
    .where(and(eq(orders.id, orderId), isNull(orders.deletedAt)));
  if (!watch || !isOwn(watch, owner)) throw await explainMissing(orderId, owner);
  if (watch.endedAt !== null)
    throw new AppError(
      'conflict',
      `The link of order #${orderId} is no longer checked: the order or its guarantee has ended.`,
    );
  await consumeLimit('linkCheck', { account: actor.userId, address: actor.ip });
  const check = await checkLink({ ...watch, nextCause: cause }, actor.userId);
  if (!check) throw new AppError('conflict', `The page of order #${orderId} changed during the check. Try again.`);
  return check;
}

const isOwn = (watch: typeof linkWatches.$inferSelect, owner: Owner): boolean =>
  owner === 'staff' || ('buyerId' in owner ? watch.buyerId === owner.buyerId : watch.sellerId === owner.sellerId);

/** An own order whose link is not checked yet is no missing order. */
async function explainMissing(orderId: number, owner: Owner): Promise<AppError> {
  const [row] = await db()
    .select({ buyerId: orders.userId, sellerId: placements.sellerId, deletedAt: orders.deletedAt })
    .from(orders)
    .leftJoin(placements, eq(placements.orderId, orders.id))
    .where(eq(orders.id, orderId));
  const isOwnOrder =
    row?.deletedAt === null &&
    (owner === 'staff' || ('buyerId' in owner ? row.buyerId === owner.buyerId : row.sellerId === owner.sellerId));
  if (!isOwnOrder) return orderNotFoundError(orderId);
  return new AppError('conflict', `Order #${orderId} has no link to check yet.`);
}
