import { and, desc, eq, gt, inArray, isNull, lt, notInArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countUpTo } from '@/db/count-up-to';
import { messageReads, orderMessages } from '@/db/schema/order-messages';
import { orders } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { findRoom, type RoomSide, sideAccess } from './room';

export const markReadInput = z.object({
  side: z.literal(Object.keys(sideAccess) as RoomSide[]),
  orderId: z.int().min(1).max(2_147_483_647),
  /** The newest message that is displayed. */
  messageId: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
});

/**
 * Marks the messages of a room as read, up to the given one. Staff read for their colleagues.
 * @throws AppError not_found, also for a room of others
 */
export async function markRead(actor: Actor, input: z.output<typeof markReadInput>): Promise<void> {
  const { side, orderId } = input;
  const { buyerId, sellerId, newestMessageId } = await findRoom(actor, side, orderId);
  const messageId = Math.min(input.messageId, newestMessageId);
  const readers =
    side === 'staff'
      ? notInArray(messageReads.userId, [buyerId, sellerId ?? buyerId])
      : eq(messageReads.userId, actor.userId);
  await db().transaction(async (tx) => {
    const unread = await tx
      .select({ userId: messageReads.userId })
      .from(messageReads)
      .where(and(eq(messageReads.orderId, orderId), readers, lt(messageReads.lastMessageId, messageId)))
      .orderBy(sql`${messageReads.userId} collate "C"`)
      .for('update');
    if (unread.length === 0) return;
    // A statement of its own, which sees the messages for whose mark the lock had to wait.
    const later = sql`(select count(*)::int from ${orderMessages} as later
      where later.order_id = ${orderId} and later.id > ${messageId} and later.author_id <> message_reads.user_id)`;
    await tx
      .update(messageReads)
      .set({
        lastMessageId: messageId,
        unreadCount: later,
        mailDueAt: sql`case when ${later} > 0 then ${messageReads.mailDueAt} end`,
      })
      .where(
        and(
          eq(messageReads.orderId, orderId),
          inArray(
            messageReads.userId,
            unread.map(({ userId }) => userId),
          ),
        ),
      );
  });
}

/** Counts a user's unread messages in the rooms of orders. Orders without any are omitted. */
export async function countUnreadMessages(userId: string, orderIds: number[]): Promise<Map<number, number>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db()
    .select({ orderId: messageReads.orderId, count: messageReads.unreadCount })
    .from(messageReads)
    .where(
      and(eq(messageReads.userId, userId), gt(messageReads.unreadCount, 0), inArray(messageReads.orderId, orderIds)),
    );
  return new Map(rows.map(({ orderId, count }) => [orderId, count]));
}

export type UnreadRooms = CappedCount & { /** The newest of the orders. */ orderIds: number[] };

/** Lists the newest orders in whose rooms a user has unread messages, and counts all of them. */
export async function listUnreadRooms(userId: string, limit = 5): Promise<UnreadRooms> {
  const select = (count: number) =>
    db()
      .select({ orderId: messageReads.orderId })
      .from(messageReads)
      .innerJoin(orders, and(eq(orders.id, messageReads.orderId), isNull(orders.deletedAt)))
      .where(and(eq(messageReads.userId, userId), gt(messageReads.unreadCount, 0)))
      .orderBy(desc(messageReads.orderId))
      .limit(count);
  const [rows, counted] = await Promise.all([select(limit), countUpTo(select)]);
  return { ...counted, orderIds: rows.map(({ orderId }) => orderId) };
}
