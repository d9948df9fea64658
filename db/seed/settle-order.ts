import { and, eq } from 'drizzle-orm';
import { recordAudit } from '../../lib/audit/record';
import type { Actor } from '../../lib/auth/actor';
import { walletCurrency } from '../../lib/money';
import { postTransfer, revenueAccount, walletOf } from '../../lib/wallet/post-transfer';
import { db } from '../client';
import { checkouts, orders } from '../schema/orders';
import { daysBefore } from './days';
import type { Fate } from './order-fates';

/** Brings a fresh order to where its fate leads, dated back to when it would have happened; once. */
export async function settleOrder(admin: Actor, orderId: number, fate: Fate, now: Date): Promise<void> {
  await db().transaction(async (tx) => {
    const [order] = await tx
      .select()
      .from(orders)
      .where(and(eq(orders.id, orderId), eq(orders.version, 1)))
      .for('update');
    if (!order) return;
    const createdAt = daysBefore(now, fate.daysAgo);
    const isPublished = fate.status === 'Live' || fate.status === 'Completed';
    await tx
      .update(orders)
      .set({
        status: fate.status,
        linkUrl: isPublished ? articleUrl(order.website, order.projectKeywords) : '',
        adminComments: fate.adminComments ?? '',
        refundCount: fate.status === 'Refunded' ? 1 : 0,
        version: 2,
        createdAt,
        updatedAt: daysBefore(now, fate.daysAgo * (fate.status === 'Pending' ? 1 : 0.55)),
      })
      .where(eq(orders.id, orderId));
    await tx.update(checkouts).set({ createdAt }).where(eq(checkouts.id, order.checkoutId));
    if (fate.status === 'Pending') return;
    await recordAudit(tx, admin, {
      action: 'order.updated',
      details: `Order #${order.id} went from Pending to ${fate.status}.`,
      entityType: 'order',
      entityId: order.id,
      before: { status: order.status },
      after: { status: fate.status },
    });
    if (fate.status !== 'Refunded') return;
    await postTransfer(tx, {
      key: `refund:${order.id}:1`,
      kind: 'order_refund',
      from: revenueAccount,
      to: walletOf(order.userId),
      amountCents: order.chargedCents,
      currency: walletCurrency,
      orderId: order.id,
      actorId: admin.userId,
      method: 'Wallet',
      note: `Refund of order #${order.id}: ${order.website}`,
    });
  });
}

/** Where the article of an order stands: on its site, or on the package's first one. */
function articleUrl(website: string, keywords: string): string {
  const slug = (keywords.split(',')[0] ?? '')
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return `${website || 'https://union-herald.example.com'}/${slug}`;
}
