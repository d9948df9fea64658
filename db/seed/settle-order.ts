import { eq } from 'drizzle-orm';
import type { Actor } from '../../lib/access/actor';
import { updateOrder } from '../../lib/orders/update';
import { db } from '../client';
import { checkouts, orders } from '../schema/orders';
import { daysBefore } from './days';
import type { Fate } from './order-fates';

/** Brings an order to where its fate leads, by the verb of the order desk, and dates it back to when that was. */
export async function settleOrder(admin: Actor, orderId: number, fate: Fate, now: Date): Promise<void> {
  const [order] = await db().select().from(orders).where(eq(orders.id, orderId));
  if (!order) throw new Error(`Order #${orderId} is gone.`);
  const isFresh = order.version === 1;
  if (isFresh && fate.status !== 'Pending') {
    const isPublished = fate.status === 'Live' || fate.status === 'Completed';
    await updateOrder(admin, orderId, {
      status: fate.status,
      linkUrl: isPublished ? articleUrl(order.website, order.projectKeywords) : undefined,
      adminComments: fate.adminComments,
    });
  }
  const createdAt = daysBefore(now, fate.daysAgo);
  const updatedAt = fate.status === 'Pending' ? createdAt : daysBefore(now, fate.daysAgo * 0.55);
  await db().update(orders).set({ createdAt, updatedAt }).where(eq(orders.id, orderId));
  await db().update(checkouts).set({ createdAt }).where(eq(checkouts.id, order.checkoutId));
}

/** Where the article of an order stands: on its site; for a package, on one of the sites it placed articles on. */
function articleUrl(website: string, keywords: string): string {
  const slug = (keywords.split(',')[0] ?? '')
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return `${website || 'https://union-herald.example.com'}/${slug}`;
}
