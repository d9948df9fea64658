import { and, asc, desc, eq, gt, isNull, lte, ne, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { messageReads, orderMessages } from '@/db/schema/order-messages';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { users } from '@/db/schema/users';
import { type MailAccount, queueMail } from '@/lib/mail/compose';
import { findMailRecipient, isStaffWith, type MailRecipient } from '@/lib/mail/recipients';
import { UnreadMessagesMail } from '@/lib/mail/templates/orders';
import { formerStates } from '@/lib/orders/contract';
import { listOrderRecipients } from '@/lib/orders/notices/notify';
import { secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { sideNames } from './contract';
import { type RoomSide, roomPage } from './room';

const maxPerRun = 200;
/** Lease of a reader's row, during which other instances skip it; also the wait after a failure. */
const leaseSeconds = 120;
/** The number of messages that a mail quotes, and of characters of each. */
const maxQuoted = 5;
const maxQuotedLength = 500;

const areas = { buyer: 'user', seller: 'seller', staff: 'dashboard' } as const;

type Due = { orderId: number; accountId: string };

/**
 * Queues the mails about messages that were not read in time: one for each room and reader, however many messages there
 * are, until the reader has read the room. Several instances may run concurrently: each leases other rows, and a mail is
 * queued in the transaction that marks its messages as announced.
 * @returns the number of queued mails; of readers who need none, e.g. because they turned them off; and of failures
 */
export async function mailUnreadMessages(): Promise<{ mailed: number; skipped: number; failed: number }> {
  const counts = { mailed: 0, skipped: 0, failed: 0 };
  for (let claimed = 0; claimed < maxPerRun; claimed += 1) {
    const due = await leaseDue();
    if (!due) break;
    counts[await mailOne(due)] += 1;
  }
  return counts;
}

/** Leases the row that is due longest. */
async function leaseDue(): Promise<Due | undefined> {
  const due = db()
    .select({ orderId: messageReads.orderId, accountId: messageReads.accountId })
    .from(messageReads)
    .where(lte(messageReads.mailDueAt, sql`now()`))
    .orderBy(asc(messageReads.mailDueAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const [leased] = await db()
    .update(messageReads)
    .set({ mailDueAt: secondsFromNow(leaseSeconds) })
    .where(sql`(${messageReads.orderId}, ${messageReads.accountId}) = (${due})`)
    .returning({ orderId: messageReads.orderId, accountId: messageReads.accountId });
  return leased;
}

async function mailOne(due: Due): Promise<'mailed' | 'skipped' | 'failed'> {
  try {
    return await db().transaction(async (tx) => ((await queueUnreadMail(tx, due)) ? 'mailed' : 'skipped'));
  } catch (thrown) {
    // The row is due again after its lease.
    log().error({ ...due, err: thrown }, 'The mail about unread messages could not be queued.');
    return 'failed';
  }
}

/** Queues the mail about unread messages. @returns whether a mail was queued */
async function queueUnreadMail(tx: Executor, { orderId, accountId }: Due): Promise<boolean> {
  const row = and(eq(messageReads.orderId, orderId), eq(messageReads.accountId, accountId));
  const [read] = await tx.select().from(messageReads).where(row).for('update');
  // Read, or mailed by another instance, since it was leased.
  if (!read?.mailDueAt) return false;
  const room = await findReaderRoom(tx, orderId, accountId);
  const unread = await tx
    .select({
      id: orderMessages.id,
      role: orderMessages.role,
      text: orderMessages.text,
      files: sql<number>`(select count(*)::int from order_message_files where message_id = order_messages.id)`,
    })
    .from(orderMessages)
    .where(
      and(
        eq(orderMessages.orderId, orderId),
        gt(orderMessages.id, read.lastMessageId),
        room && room.side !== 'staff' ? ne(orderMessages.role, room.side) : ne(orderMessages.authorId, accountId),
      ),
    )
    .orderBy(desc(orderMessages.id))
    .limit(maxQuoted);
  const [newest] = unread;
  await tx
    .update(messageReads)
    .set({ mailDueAt: null, ...(newest && { mailedMessageId: newest.id }) })
    .where(row);
  if (!room || !newest) return false;
  const recipients = room.recipients.filter(({ off }) => !off.has('order-message'));
  const { side, what } = room;
  const heading =
    read.unreadCount === 1
      ? `New message about order #${orderId}`
      : `${read.unreadCount} new messages about order #${orderId}`;
  const messages = unread.reverse().map(({ role, text, ...rest }) => ({
    ...rest,
    author: sideNames[role],
    text: text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text,
  }));
  for (const { email, account } of recipients)
    await queueMail(tx, {
      kind: 'order-message',
      to: email,
      account,
      subject: heading,
      body: (context) =>
        createElement(UnreadMessagesMail, {
          ...context,
          heading,
          what,
          messages,
          more: read.unreadCount - unread.length,
          url: `${context.appUrl}${roomPage(side, orderId)}`,
          area: areas[side],
        }),
    });
  return recipients.length > 0;
}

type RoomRecipient = MailRecipient & { account?: MailAccount | undefined };

/** Finds a reader's room; null if the order was deleted, or the user takes no part in it any more. */
async function findReaderRoom(
  tx: Executor,
  orderId: number,
  accountId: string,
): Promise<{ side: RoomSide; what: string; recipients: readonly RoomRecipient[] } | null> {
  const [order] = await tx
    .select({
      accountId: orders.accountId,
      projectId: orders.projectId,
      orderedBy: orders.orderedBy,
      sellerId: placements.sellerId,
      state: placements.state,
      item: sql<string>`coalesce(nullif(${orders.website}, ''), ${orders.packageName})`,
      projectDomain: orders.projectDomain,
    })
    .from(orders)
    .leftJoin(placements, eq(placements.orderId, orders.id))
    .where(and(eq(orders.id, orderId), isNull(orders.deletedAt)));
  if (!order) return null;
  // The buyer's project is not shown to the seller.
  const what = `${order.item}, for ${order.projectDomain}`;
  if (accountId === order.accountId) {
    return { side: 'buyer', what, recipients: await listOrderRecipients(tx, order) };
  }
  const reader = await findMailRecipient(tx, accountId);
  if (!reader) return null;
  const recipients = [reader];
  if (accountId === order.sellerId) {
    // A former seller does not learn what was written since.
    const isFormer = order.state !== null && formerStates.includes(order.state);
    return isFormer ? null : { side: 'seller', what: order.item, recipients };
  }
  const staff = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, accountId), isStaffWith(tx, 'ManageOrders')));
  return staff.length > 0 ? { side: 'staff', what, recipients } : null;
}
