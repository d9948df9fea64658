import { and, count, eq, inArray, isNull } from 'drizzle-orm';
import { db } from '../../db/client';
import { orders } from '../../db/schema/orders';
import { sites } from '../../db/schema/sites';
import { topups } from '../../db/schema/topups';

export type Attention = {
  pendingOrders: number;
  processingOrders: number;
  topupsInReview: number;
  pendingSites: number;
};

/** What waits for somebody of the staff. */
export async function getAttention(): Promise<Attention> {
  const [byStatus, [review], [pending]] = await Promise.all([
    db()
      .select({ status: orders.status, count: count() })
      .from(orders)
      .where(and(inArray(orders.status, ['Pending', 'Processing']), isNull(orders.deletedAt)))
      .groupBy(orders.status),
    db().select({ count: count() }).from(topups).where(eq(topups.status, 'review')),
    db()
      .select({ count: count() })
      .from(sites)
      .where(and(eq(sites.status, 'Pending'), isNull(sites.deletedAt))),
  ]);
  const ordersIn = (status: 'Pending' | 'Processing') => byStatus.find((row) => row.status === status)?.count ?? 0;
  return {
    pendingOrders: ordersIn('Pending'),
    processingOrders: ordersIn('Processing'),
    topupsInReview: review?.count ?? 0,
    pendingSites: pending?.count ?? 0,
  };
}
