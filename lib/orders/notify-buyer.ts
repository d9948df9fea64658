import type { Executor } from '@/db/client';
import type { BuyerNoticeKind } from '@/db/schema/notices';
import type { OrderStatus, orders } from '@/db/schema/orders';
import type { AnyActor } from '@/lib/access/actor';
import { createNotification } from '@/lib/notifications/notifications';
import { toBuyerStatus } from './buyer-status';

type Order = typeof orders.$inferSelect;
type State = Pick<Order, 'status' | 'linkUrl' | 'adminComments'>;

/** The order in a notification: "Order #12, example.com". */
export const formatOrderSubject = ({
  id,
  website,
  packageName,
}: Pick<Order, 'id' | 'website'> & { packageName?: string }): string =>
  `Order #${id}, ${website.replace(/^https?:\/\//i, '') || packageName}`;

/** Creates a notification for the buyer of an order that staff fulfill. Steps of a placement have their own. */
export const notifyBuyer = (tx: Executor, actor: AnyActor, order: Order, kind: BuyerNoticeKind): Promise<void> =>
  createNotification(tx, actor, { userId: order.userId, kind, subject: formatOrderSubject(order), orderId: order.id });

/**
 * Notifies the buyer of an update by staff, once, of its most important change.
 * @param how the USD cents refunded or charged again, 0 for none, and whether the order was rejected
 */
export async function notifyOrderChanged(
  tx: Executor,
  actor: AnyActor,
  order: Order,
  after: State,
  how: { movedCents: number; isRejection: boolean },
): Promise<void> {
  const kind = findChange(order, after, how);
  if (kind) await notifyBuyer(tx, actor, order, kind);
}

const statusNotices: Record<OrderStatus, BuyerNoticeKind> = {
  Pending: 'order.pending',
  Processing: 'order.processing',
  Live: 'order.live',
  Completed: 'order.completed',
  Rejected: 'order.rejected',
  Refunded: 'order.refunded',
};

function findChange(
  before: State,
  after: State,
  { movedCents, isRejection }: { movedCents: number; isRejection: boolean },
): BuyerNoticeKind | null {
  if (movedCents > 0 && after.status !== 'Refunded') return 'order.recharged';
  if (toBuyerStatus(after.status) !== toBuyerStatus(before.status))
    return isRejection ? 'order.declined' : statusNotices[after.status];
  if (after.linkUrl !== before.linkUrl) return 'order.link';
  // Removing a comment is not reported.
  return after.adminComments !== before.adminComments && after.adminComments ? 'order.comment' : null;
}
