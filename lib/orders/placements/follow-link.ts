import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import type { orders } from '@/db/schema/orders';
import { orderBriefs, type placements } from '@/db/schema/placements';
import { revokeProofs } from '@/lib/links/passport/revoke-proofs';
import { endWatch, startWatch } from '@/lib/links/watches';
import type { LockedPlacement } from './move';
import { isOver } from './states';

type Order = Pick<
  typeof orders.$inferSelect,
  'id' | 'userId' | 'projectId' | 'website' | 'projectTargetUrl' | 'linkUrl'
>;
type Placement = Pick<typeof placements.$inferSelect, 'sellerId' | 'deliveredUrl'>;

/**
 * Starts the watch of an order's link.
 * @param placement of a delivery; null for the live link of an order that staff fulfill
 */
export async function watchLink(tx: Executor, order: Order, placement: Placement | null): Promise<void> {
  const [brief] = await tx.select().from(orderBriefs).where(eq(orderBriefs.orderId, order.id));
  const pageUrl = placement?.deliveredUrl ?? order.linkUrl;
  const targetUrl = brief?.targetUrl || order.projectTargetUrl;
  // An order without a target has no link to look for.
  if (targetUrl === '' || !/^https?:/i.test(pageUrl)) return endWatch(tx, order.id, 'stopped');
  await startWatch(tx, {
    orderId: order.id,
    buyerId: order.userId,
    projectId: order.projectId,
    sellerId: placement?.sellerId ?? null,
    siteUrl: order.website || pageUrl,
    pageUrl,
    targetUrl,
    anchor: brief?.anchor ?? '',
    rel: brief?.rel ?? 'any',
  });
}

/**
 * Watches the link of a delivery until the placement is over, and revokes the passports of a link that was not paid for.
 * @param hasNewUrl whether the step set the delivered address
 */
export async function followLink(
  tx: Executor,
  before: LockedPlacement['placement'],
  { order, placement }: LockedPlacement,
  hasNewUrl: boolean,
): Promise<void> {
  const isDelivered = placement.state === 'delivered' && before.state !== 'disputed';
  if (isDelivered || (placement.state === 'approved' && hasNewUrl)) return watchLink(tx, order, placement);
  if (!isOver(placement)) return;
  const reason = getRevocation(placement);
  const isKept = placement.state === 'closed' || (placement.state === 'settled' && reason === null);
  await endWatch(tx, order.id, placement.state === 'lost' ? 'lost' : isKept ? 'over' : 'stopped');
  if (reason) await revokeProofs(tx, order.id, reason);
}

function getRevocation({
  state,
  sellerReturnedCents,
  marginReturnedCents,
  sellerCents,
  marginCents,
}: LockedPlacement['placement']) {
  switch (state) {
    case 'declined':
    case 'expired':
    case 'cancelled':
    case 'lost':
      return state;
    case 'settled':
      return sellerReturnedCents + marginReturnedCents === sellerCents + marginCents ? state : null;
    default:
      return null;
  }
}
