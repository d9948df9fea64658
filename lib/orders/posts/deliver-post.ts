import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderPosts } from '@/db/schema/wordpress';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { checkDelivery } from '@/lib/orders/placements/check-delivery';
import { deliverPlacement } from '@/lib/orders/placements/fulfill';

/** `finding` says what is wrong with the page; empty if its link is in order. */
export type PostDelivery = { isDelivered: boolean; finding: string };

/**
 * Delivers an order with the address of its live post, by the same step and check as any other address: WordPress may have
 * filtered the link. The finding is stored with the post, and the job does not look at it again.
 */
export async function deliverPost(actor: Actor, orderId: number, url: string): Promise<PostDelivery> {
  const delivery = await deliverUrl(actor, orderId, url);
  await db()
    .update(orderPosts)
    .set({ lastError: delivery.finding, checkAt: null })
    .where(eq(orderPosts.orderId, orderId));
  return delivery;
}

async function deliverUrl(actor: Actor, orderId: number, url: string): Promise<PostDelivery> {
  try {
    const check = await checkDelivery(actor, orderId, url);
    await actAsSeller(actor, orderId, {}, (tx, locked) =>
      deliverPlacement(tx, actor, locked, { role: 'seller', check }),
    );
    return { isDelivered: true, finding: '' };
  } catch (thrown) {
    const isRefused = thrown instanceof AppError && ['unprocessable', 'link_not_in_order'].includes(thrown.code);
    if (!isRefused) throw thrown;
    return { isDelivered: false, finding: thrown.message };
  }
}
