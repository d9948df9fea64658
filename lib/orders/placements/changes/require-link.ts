import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { AppError } from '@/lib/errors';
import type { WantedLink } from '@/lib/links/judge-page';
import { formatState } from '@/lib/orders/contract';
import type { LockedPlacement } from '@/lib/orders/placements/lock';
import type { Change } from './contract';

type Watch = typeof linkWatches.$inferSelect;

/** Returns why an order's article cannot be changed now; null if it can. */
export function getChangeRefusal(
  { order, placement }: Pick<LockedPlacement, 'order' | 'placement'>,
  watch: Pick<Watch, 'endReason'> | undefined,
): string | null {
  const { id, status } = order;
  if (placement.state !== 'approved' && placement.state !== 'closed')
    return `Order #${id} is ${formatState(placement.state)}: only a published article can be changed.`;
  if (status !== 'Live' && status !== 'Completed') return `Order #${id} is ${status}: its article cannot be changed.`;
  if (!watch || watch.endReason === 'lost' || watch.endReason === 'stopped')
    return `Order #${id} has no live link: its article cannot be changed.`;
  return null;
}

/**
 * Requires an article that is online, of a placement that is approved or closed.
 * @returns where the link is and what it was until now
 * @throws AppError conflict
 */
export async function requireChangeable(
  tx: Executor,
  locked: Pick<LockedPlacement, 'order' | 'placement'>,
): Promise<Watch> {
  const watch = await findWatch(tx, locked.order.id);
  const refusal = getChangeRefusal(locked, watch);
  if (refusal !== null || !watch) throw new AppError('conflict', refusal ?? 'The order has no live link.');
  return watch;
}

export async function findWatch(tx: Executor, orderId: number): Promise<Watch | undefined> {
  const [watch] = await tx.select().from(linkWatches).where(eq(linkWatches.orderId, orderId));
  return watch;
}

/** Returns the link that a page must have after a change. */
export const wantedAfter = (
  { targetUrl, anchor }: Pick<Change, 'targetUrl' | 'anchor'>,
  before: Pick<Watch, 'siteUrl' | 'targetUrl' | 'anchor' | 'rel'>,
): WantedLink => ({
  siteDomain: before.siteUrl,
  targetUrl: targetUrl || before.targetUrl,
  anchor: anchor || before.anchor,
  rel: before.rel,
});
