import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { checkouts, orders } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { updateOrder } from '@/lib/orders/update';
import { daysBefore } from './days';
import type { OrderOutcome } from './order-outcomes';

/** Updates an order to its final state through `updateOrder`, and dates it back. */
export async function settleOrder(admin: Actor, orderId: number, outcome: OrderOutcome, now: Date): Promise<void> {
  const [order] = await db().select().from(orders).where(eq(orders.id, orderId));
  if (!order) throw new Error(`Order #${orderId} no longer exists.`);
  const isFresh = order.version === 1;
  if (isFresh && outcome.status !== 'Pending') {
    const isPublished = outcome.status === 'Live' || outcome.status === 'Completed';
    await updateOrder(admin, orderId, {
      status: outcome.status,
      linkUrl: isPublished ? articleUrl(order.website, order.projectKeywords) : undefined,
      adminComments: outcome.adminComments,
    });
  }
  const createdAt = daysBefore(now, outcome.daysAgo);
  const updatedAt = outcome.status === 'Pending' ? createdAt : daysBefore(now, outcome.daysAgo * 0.55);
  await db().update(orders).set({ createdAt, updatedAt }).where(eq(orders.id, orderId));
  await db().update(checkouts).set({ createdAt }).where(eq(checkouts.id, order.checkoutId));
}

/** The address of an order's article: on its site; for a package, on an invented site. */
function articleUrl(website: string, keywords: string): string {
  const slug = (keywords.split(',')[0] ?? '')
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return `${website || 'https://union-herald.example.com'}/${slug}`;
}
