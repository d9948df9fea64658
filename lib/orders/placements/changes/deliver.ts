import { db, type Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { checkChangedPage, type DeliveryCheck, requireDeliverable } from '@/lib/orders/placements/check-delivery';
import { findingOf } from './check';
import type { Change } from './contract';
import { type LockedChange, lockChange, moveChange, requireChangeState } from './move';
import { requireChangeable, wantedAfter } from './require-link';

type Delivery = { orderId: number; changeId: string; version?: number | undefined; reason?: string | undefined };

/**
 * Delivers a change on behalf of the seller: the page has it. The page is checked first, outside of a transaction.
 * @throws AppError not_found; conflict in another state or for a stale version; link_not_in_order for a page that cannot be
 * opened, and without a reason for one on which the check does not find the link as asked; rate_limited
 */
export async function deliverChange(actor: Actor, { reason = '', ...request }: Delivery): Promise<Change> {
  const own = { sellerId: actor.userId };
  const { change, page, siteId } = await db().transaction(async (tx) => {
    const locked = await lockChange(tx, request, own);
    requireChangeState(locked, 'delivered');
    return { change: locked.change, page: await requireChangeable(tx, locked), siteId: locked.order.siteId };
  });
  const check = await checkChangedPage(actor, { url: page.pageUrl, requested: wantedAfter(change, page), siteId });
  return db().transaction(async (tx) => {
    // A step during the check has changed the version.
    const locked = await lockChange(tx, { ...request, version: change.version }, own);
    return recordChangeDelivery(tx, actor, locked, { check, reason });
  });
}

/**
 * Delivers a change whose page was checked.
 * @throws AppError as `deliverChange`
 */
export async function recordChangeDelivery(
  tx: Executor,
  actor: Actor,
  locked: LockedChange,
  { check, reason }: { check: DeliveryCheck; reason: string },
): Promise<Change> {
  requireChangeState(locked, 'delivered');
  const { order, change, now } = locked;
  const page = await requireChangeable(tx, locked);
  if (page.pageUrl !== check.url || check.judgement === null)
    throw new AppError('conflict', `The page of order #${order.id} changed during the check. Try again.`);
  requireDeliverable(locked, { ...check, current: wantedAfter(change, page) }, reason);
  const set = { deliveredAt: now, ...findingOf(check.judgement, now) };
  return (await moveChange(tx, actor, locked, { action: 'delivered', role: 'seller', note: reason, set })).change;
}
