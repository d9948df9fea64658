import { and, desc, eq, gt, inArray, isNull, lt, not, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countUpTo } from '@/db/count-up-to';
import { messageReads, orderMessages } from '@/db/schema/order-messages';
import { orders } from '@/db/schema/orders';
import { orderBriefs, placementEvents, placements } from '@/db/schema/placements';
import { isInProjects, isInScope } from '@/lib/access/account-roles';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { type Access, requireAccess } from '@/lib/access/authorize';
import { AppError } from '@/lib/errors';
import { formatState, formerStates } from '@/lib/orders/contract';
import { orderNotFoundError } from '@/lib/orders/placements/lock';

/** The sides of a room, with the access that each requires. */
export const sideAccess = {
  buyer: 'account:orders',
  seller: 'seller',
  staff: 'ManageOrders',
} as const satisfies Record<string, Exclude<Access, 'public'>>;
export type RoomSide = keyof typeof sideAccess;

const pages: Record<RoomSide, string> = {
  buyer: '/user/orders',
  seller: '/seller/orders',
  staff: '/dashboard/features/orders',
};

/** Returns the path of the page of a room. */
export const roomPage = (side: RoomSide, orderId: number): string => `${pages[side]}/${orderId}`;

/** The room of an order, as a user on one side sees it. */
export type Room = Awaited<ReturnType<typeof findRoom>>;

/** Selects the newest row that a side sees, or 0; for the former seller of an order, until the end of the placement. */
const newestId = (table: typeof orderMessages | typeof placementEvents, side: RoomSide): SQL<number> => {
  const isSeen =
    side === 'seller'
      ? or(
          not(inArray(placements.state, [...formerStates])),
          sql`${table.at} < ${placements.endedAt} + interval '1 ms'`,
        )
      : undefined;
  const seen = and(sql`${table.orderId} = ${orders.id}`, isSeen);
  return sql<number>`coalesce((select max(${table.id}) from ${table} where ${seen}), 0)`.mapWith(Number);
};

/**
 * Finds the room of an order. Staff take part in every room, a seller only in those of own placements.
 * @throws AppError forbidden for another role; not_found, also for an order of another user
 */
export async function findRoom(actor: Actor, side: RoomSide, orderId: number, on: Executor = db()) {
  requireAccess(actor, sideAccess[side]);
  const own = {
    buyer: isInScope(actor, orders),
    seller: eq(placements.sellerId, actor.userId),
    staff: undefined,
  };
  const reader = side === 'buyer' ? actor.accountId : actor.userId;
  const [row] = await on
    .select({
      buyerId: orders.accountId,
      projectId: orders.projectId,
      website: orders.website,
      packageName: orders.packageName,
      projectDomain: orders.projectDomain,
      targetUrls: sql<
        string[]
      >`array[${orders.website}, ${orders.projectTargetUrl}, coalesce(${orderBriefs.targetUrl}, '')]`,
      orderVersion: orders.version,
      updatedAt: orders.updatedAt,
      sellerId: placements.sellerId,
      state: placements.state,
      placementVersion: placements.version,
      endedAt: placements.endedAt,
      newestMessageId: newestId(orderMessages, side),
      newestEventId: newestId(placementEvents, side),
      lastMessageId: messageReads.lastMessageId,
      unread: messageReads.unreadCount,
    })
    .from(orders)
    .leftJoin(placements, eq(placements.orderId, orders.id))
    .leftJoin(orderBriefs, eq(orderBriefs.orderId, orders.id))
    .leftJoin(messageReads, and(eq(messageReads.orderId, orders.id), eq(messageReads.accountId, reader)))
    .where(and(eq(orders.id, orderId), isNull(orders.deletedAt), own[side]));
  if (!row) throw orderNotFoundError(orderId);
  const { lastMessageId, unread, state, endedAt, ...facts } = row;
  const isFormer = side === 'seller' && state !== null && formerStates.includes(state);
  // Times of the database have microseconds, which this one has lost.
  const until = isFormer && endedAt ? new Date(endedAt.getTime() + 1) : null;
  return {
    orderId,
    side,
    ...facts,
    ...(until && { orderVersion: 0, updatedAt: until }),
    state,
    /** Whether buyer and seller carry out the order; otherwise the buyer's messages are addressed to staff. */
    isWithSeller: state !== null && endedAt === null,
    /** The end of what the former seller sees, exclusive; null for the others. */
    until,
    /** The newest message that the user has seen. Staff who take no part have no unread messages. */
    lastMessageId: lastMessageId ?? (side === 'staff' ? row.newestMessageId : 0),
    unread: unread ?? 0,
  };
}

/** Returns why the user cannot write messages; null if they can. */
export function getClosedReason({ orderId, state, until }: Room): string | null {
  if (until === null || state === null) return null;
  return `Order #${orderId} is ${formatState(state)}, so you can no longer write messages about it.`;
}

/** Requires a room that is open to the reader. @throws AppError conflict for the former seller of the order */
export function requireOpen(room: Room): void {
  const reason = getClosedReason(room);
  if (reason !== null) throw new AppError('conflict', reason);
}

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
      ? notInArray(messageReads.accountId, [buyerId, sellerId ?? buyerId])
      : eq(messageReads.accountId, side === 'buyer' ? actor.accountId : actor.userId);
  await db().transaction(async (tx) => {
    const unread = await tx
      .select({ accountId: messageReads.accountId })
      .from(messageReads)
      .where(and(eq(messageReads.orderId, orderId), readers, lt(messageReads.lastMessageId, messageId)))
      .orderBy(sql`${messageReads.accountId} collate "C"`)
      .for('update');
    if (unread.length === 0) return;
    // A statement of its own, which sees the messages for whose mark the lock had to wait.
    const later = sql`(select count(*)::int from ${orderMessages} as later
      where later.order_id = ${orderId} and later.id > ${messageId} and ${isOfOthers(side)})`;
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
            messageReads.accountId,
            unread.map(({ accountId }) => accountId),
          ),
        ),
      );
  });
}

/** Builds the condition for messages `later` that are unread for a side: members of an account read for each other. */
const isOfOthers = (side: RoomSide) =>
  side === 'staff' ? sql`later.author_id <> message_reads.account_id` : sql`later.role <> ${side}`;

/** Counts a user's unread messages in the rooms of orders. Orders without any are omitted. */
export async function countUnreadMessages(accountId: string, orderIds: number[]): Promise<Map<number, number>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db()
    .select({ orderId: messageReads.orderId, count: messageReads.unreadCount })
    .from(messageReads)
    .where(
      and(
        eq(messageReads.accountId, accountId),
        gt(messageReads.unreadCount, 0),
        inArray(messageReads.orderId, orderIds),
      ),
    );
  return new Map(rows.map(({ orderId, count }) => [orderId, count]));
}

export type UnreadRooms = CappedCount & { /** The newest of the orders. */ orderIds: number[] };

/** Lists the newest orders in whose rooms a user has unread messages, and counts all of them. */
export async function listUnreadRooms(scope: AccountScope, limit = 5): Promise<UnreadRooms> {
  const select = (count: number) =>
    db()
      .select({ orderId: messageReads.orderId })
      .from(messageReads)
      .innerJoin(
        orders,
        and(eq(orders.id, messageReads.orderId), isNull(orders.deletedAt), isInProjects(scope, orders.projectId)),
      )
      .where(and(eq(messageReads.accountId, scope.accountId), gt(messageReads.unreadCount, 0)))
      .orderBy(desc(messageReads.orderId))
      .limit(count);
  const [rows, counted] = await Promise.all([select(limit), countUpTo(select)]);
  return { ...counted, orderIds: rows.map(({ orderId }) => orderId) };
}
