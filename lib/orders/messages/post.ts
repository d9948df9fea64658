import { createHash } from 'node:crypto';
import { and, asc, eq, notInArray, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { messageReads, orderMessageFiles, orderMessages } from '@/db/schema/order-messages';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { requireNotOwn, requireOthersAccount } from '@/lib/approvals/request';
import { AppError } from '@/lib/errors';
import { apiUrl, eventFor, installationEvent, type NewEvent, recordEvents } from '@/lib/events/record';
import { newId } from '@/lib/ids';
import { isStaffWith } from '@/lib/mail/recipients';
import { createNotification, notifyAccount } from '@/lib/notifications/notifications';
import { formerStates } from '@/lib/orders/contract';
import { deleteIfOrphaned, type StoredFacts } from '@/lib/orders/deliverables/store-file';
import { concernedBy, formatOrderSubject } from '@/lib/orders/notices/notify';
import { lockOrder, markContactData } from '@/lib/orders/placements/lock';
import { recordAudit } from '@/lib/platform/audit/record';
import { parseInput } from '@/lib/platform/http/parse';
import { getPlacementRules } from '@/lib/settings/placement-rules';
import { hasContactData } from '@/lib/sites/contact-data';
import { type MessageView, messageBody, messagesPath, messageView } from './contract';
import { findRoom, type Room, type RoomSide, requireOpen } from './room';

/** A file of a message that is in the content store. */
export type MessageFile = StoredFacts & { storageKey: string };

type NewMessage = {
  /** The message as received, trimmed and checked here. */
  text: unknown;
  files: readonly MessageFile[];
};

/**
 * Posts a message in the room of an order, and marks it as unread for the others. The order's row is locked, so that the
 * messages of a room are numbered in the order in which they become visible.
 * @param files deleted from the store if the message is not posted
 * @param idempotencyKey a repeat with the same key and message returns the first one and posts nothing
 * @throws AppError invalid_input, not_found, forbidden for staff in the room of their own order, conflict for a former
 * seller and when the key was used for another message
 */
export async function postMessage(
  actor: Actor,
  side: RoomSide,
  orderId: number,
  { text: received, files }: NewMessage,
  idempotencyKey: string | null = null,
): Promise<MessageView> {
  let isPosted = false;
  try {
    const { text } = parseInput(messageBody, { text: received });
    if (text === '' && files.length === 0) throw emptyMessageError();
    const posted = await db().transaction((tx) => postIn(tx, actor, side, orderId, { text, files, idempotencyKey }));
    isPosted = posted.isNew;
    return posted.view;
  } finally {
    if (!isPosted) for (const { storageKey } of files) await deleteIfOrphaned(storageKey);
  }
}

function emptyMessageError(): AppError {
  const message = 'Enter a message or attach a file.';
  return new AppError('invalid_input', message, { fields: { text: message } });
}

type ParsedMessage = { text: string; files: readonly MessageFile[]; idempotencyKey: string | null };

async function postIn(
  tx: Executor,
  actor: Actor,
  side: RoomSide,
  orderId: number,
  { text, files, idempotencyKey }: ParsedMessage,
): Promise<{ isNew: boolean; view: MessageView }> {
  await lockOrder(tx, orderId);
  const room = await findRoom(actor, side, orderId, tx);
  requireOpen(room);
  if (side === 'staff') await requireOthersRoom(tx, actor, room);
  const sent = files.map(({ fileName, sha256 }) => ({ fileName, sha256 }));
  const requestHash = createHash('sha256')
    .update(JSON.stringify({ orderId, side, text, files: sent }))
    .digest('hex');
  const [message] = await tx
    .insert(orderMessages)
    .values({
      orderId,
      authorId: actor.userId,
      role: side,
      text,
      hasContactData: side !== 'staff' && hasContactData(text, room.targetUrls),
      idempotencyKey,
      requestHash: idempotencyKey === null ? null : requestHash,
      // Not the start of the transaction, which may have waited for the lock while another message was posted.
      at: sql`clock_timestamp()`,
    })
    .onConflictDoNothing()
    .returning();
  if (!message) return { isNew: false, view: await replayMessage(tx, room, actor, idempotencyKey, requestHash) };
  const stored = files.map((file) => ({ id: newId(), messageId: message.id, ...file }));
  if (stored.length > 0) await tx.insert(orderMessageFiles).values(stored);
  if (message.hasContactData) await markContactData(tx, [orderId]);
  await markUnread(tx, actor, room, message.id);
  await recordEvents(tx, messageEvents(room, message.id));
  await recordAudit(tx, actor, {
    action: 'message.posted',
    details: `Order #${orderId}: a message of ${text.length} characters and ${files.length} files was posted for the side ${side}.`,
    // Not of the type `order`, whose entries are the order's history.
    entityType: 'order_message',
    entityId: message.id,
    after: { orderId, side, characters: text.length, files: sent },
  });
  return { isNew: true, view: messageView({ ...message, files: stored, authorName: actor.name }, room, actor) };
}

/** Creates the events of a message for both sides, also its writer, and the installation; not for a former seller. */
function messageEvents({ orderId, side, buyerId, sellerId, state }: Room, messageId: number): NewEvent[] {
  const view = (reader: RoomSide) => ({
    ...{ orderId, messageId: `message-${messageId}`, from: side },
    url: apiUrl(messagesPath({ side: reader, orderId })),
  });
  const isFormer = state !== null && formerStates.includes(state);
  return [
    eventFor('message.created', 'buyer', buyerId, view('buyer')),
    ...(sellerId && !isFormer ? [eventFor('message.created', 'seller', sellerId, view('seller'))] : []),
    installationEvent('message.created', view('staff')),
  ];
}

/** Refuses staff who would write to the other side of their own order as the team. @throws AppError forbidden */
async function requireOthersRoom(tx: Executor, actor: Actor, { buyerId, sellerId }: Room): Promise<void> {
  await requireOthersAccount(tx, actor, buyerId, 'write as the team about your own order');
  if (sellerId) requireNotOwn(actor, sellerId, 'write as the team about an order of your own site');
}

/** Returns the earlier message of a key. @throws AppError conflict when the key was used for another message */
async function replayMessage(
  tx: Executor,
  room: Room,
  actor: Actor,
  idempotencyKey: string | null,
  requestHash: string,
): Promise<MessageView> {
  const [first] = await tx
    .select()
    .from(orderMessages)
    .where(and(eq(orderMessages.authorId, actor.userId), eq(orderMessages.idempotencyKey, idempotencyKey ?? '')));
  if (first?.requestHash !== requestHash) {
    const message = 'This Idempotency-Key was already used for another message.';
    throw new AppError('conflict', message, { fields: { idempotencyKey: message } });
  }
  const files = await tx.select().from(orderMessageFiles).where(eq(orderMessageFiles.messageId, first.id));
  return messageView({ ...first, files, authorName: actor.name }, room, actor);
}

/**
 * Marks a new message as unread for the others in the room. The first one after a user has read the room starts the time
 * until the mail, and shows in the bell of buyer and seller.
 */
async function markUnread(tx: Executor, actor: Actor, room: Room, messageId: number): Promise<void> {
  const { orderId, side, buyerId, projectId, sellerId, website, packageName } = room;
  const subject = formatOrderSubject({ id: orderId, website, packageName });
  if (side === 'staff') {
    // Replies are unread for staff who have written.
    await tx
      .insert(messageReads)
      .values({ orderId, accountId: actor.userId, lastMessageId: messageId })
      .onConflictDoNothing();
  }
  const readers = await listReaders(tx, actor, room);
  if (readers.length === 0) return;
  const { unreadMailMinutes } = await getPlacementRules(tx);
  const marked = await tx
    .insert(messageReads)
    .values(
      readers.map((accountId) => ({
        orderId,
        accountId,
        unreadCount: 1,
        lastMessageId: sql`${messageId}::bigint - 1`,
        mailDueAt: sql`now() + make_interval(mins => ${unreadMailMinutes})`,
      })),
    )
    .onConflictDoUpdate({
      target: [messageReads.orderId, messageReads.accountId],
      set: {
        unreadCount: sql`${messageReads.unreadCount} + 1`,
        // Until the user reads the room, there is one mail.
        mailDueAt: sql`case when ${messageReads.mailedMessageId} <= ${messageReads.lastMessageId}
          then coalesce(${messageReads.mailDueAt}, excluded.mail_due_at) end`,
      },
    })
    .returning({ accountId: messageReads.accountId, unreadCount: messageReads.unreadCount });
  for (const { accountId, unreadCount } of marked) {
    if (unreadCount !== 1) continue;
    const news = { orderId, subject };
    if (accountId === buyerId)
      await notifyAccount(tx, actor, { ...concernedBy({ accountId, projectId }), kind: 'order.message', ...news });
    else if (accountId === sellerId)
      await createNotification(tx, actor, { userId: sellerId, kind: 'placement.message', ...news });
  }
}

/**
 * Lists the users for whom a message becomes unread, by id: the other side; staff who have written in the room; and while
 * no seller carries out the order, all staff who manage orders.
 */
async function listReaders(tx: Executor, actor: Actor, room: Room): Promise<string[]> {
  const { orderId, side, buyerId, sellerId, isWithSeller, state } = room;
  const isFormer = state !== null && formerStates.includes(state);
  const sides = [buyerId, ...(sellerId && !isFormer ? [sellerId] : [])];
  const staff = isWithSeller
    ? tx
        .select({ id: messageReads.accountId })
        .from(messageReads)
        .where(
          and(eq(messageReads.orderId, orderId), notInArray(messageReads.accountId, [buyerId, sellerId ?? buyerId])),
        )
    : tx.select({ id: users.id }).from(users).where(isStaffWith(tx, 'ManageOrders')).orderBy(asc(users.id));
  const ids = new Set([...sides, ...(await staff).map(({ id }) => id)]);
  ids.delete(side === 'buyer' ? actor.accountId : actor.userId);
  // In the order in which `markRead` locks the rows.
  return [...ids].sort();
}
