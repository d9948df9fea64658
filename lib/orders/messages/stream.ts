import { and, desc, eq, inArray, lt } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderMessageFiles, orderMessages } from '@/db/schema/order-messages';
import { type PlacementRole, placementEvents } from '@/db/schema/placements';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { viewOnlyMessage } from '@/lib/errors';
import { describeEvent, listTimelinePage } from '@/lib/orders/notices/timeline';
import { hasContactData } from '@/lib/sites/contact-data';
import {
  authorView,
  type EventView,
  type MessageView,
  messagesPath,
  messageView,
  type RoomEntry,
  type RoomPosition,
  type RoomView,
} from './contract';
import { findRoom, getClosedReason, type Room, type RoomSide } from './room';

/** The number of entries of a page. */
const pageSize = 50;

/** An entry of one of the lists that a room merges; `view` is null for an entry that the side does not see. */
type Item<View> = { id: number; at: Date; view: View | null };

/**
 * Reads a page of a room: the steps of the order and the messages in one list, oldest first. Each is read along its own
 * index and only as far as the page, so that the cost does not grow with the room.
 * @param before the position of a later page; without it, the newest page
 */
export async function getRoomPage(actor: Actor, room: Room, before?: RoomPosition): Promise<RoomView> {
  const [steps, events, messages] = await Promise.all([
    listSteps(actor, room, before?.step),
    listEvents(actor, room, before?.event),
    listMessages(actor, room, before?.message),
  ]);
  const page = mergePage(steps, events, messages);
  const isLast = page.count === steps.length + events.length + messages.length;
  const { step, event, message } = page.end;
  return {
    entries: page.entries.reverse(),
    older: isLast
      ? null
      : [step ?? before?.step, event ?? before?.event, message ?? before?.message].map((id) => id ?? maxId).join('.'),
    newestMessageId: room.newestMessageId,
    unread: room.unread,
    closed: getClosedReason(room),
  };
}

/**
 * Reads the newest page of a room for its screen. A view by staff has this page only, because the API refuses it.
 * @throws AppError not_found, also for a room of others
 */
export async function openRoom(actor: Actor, side: RoomSide, orderId: number) {
  const room = await findRoom(actor, side, orderId);
  const page = await getRoomPage(actor, room);
  const first = actor.viewing ? { ...page, older: null, unread: 0, closed: viewOnlyMessage } : page;
  return { side, orderId, path: messagesPath(room), isLive: !actor.viewing, first };
}

/** Larger than any id, and of at most 15 digits. */
const maxId = 999_999_999_999_999;

type Lists = { step: Item<RoomEntry>[]; event: Item<RoomEntry>[]; message: Item<RoomEntry>[] };

/** Merges the lists, newest first, up to the size of a page. */
function mergePage(step: Item<EventView>[], event: Item<EventView>[], message: Item<MessageView>[]) {
  const lists: Lists = { step, event, message };
  const names = ['message', 'event', 'step'] as const;
  const next = { step: 0, event: 0, message: 0 };
  const end: { step?: number; event?: number; message?: number } = {};
  const entries: RoomEntry[] = [];
  let count = 0;
  for (; count < pageSize; count += 1) {
    const heads = names.flatMap((name) => {
      const head = lists[name][next[name]];
      return head ? [{ name, head }] : [];
    });
    const [first] = heads.sort((one, other) => other.head.at.getTime() - one.head.at.getTime());
    if (!first) break;
    next[first.name] += 1;
    end[first.name] = first.head.id;
    if (first.head.view) entries.push(first.head.view);
  }
  return { entries, end, count };
}

/** Lists the steps of an order that no seller carries out: those of the audit log. */
async function listSteps(actor: Actor, room: Room, before: number | undefined): Promise<Item<EventView>[]> {
  const { side, orderId, buyerId: accountId } = room;
  if (side === 'seller') return [];
  const entries = await listTimelinePage(
    { id: orderId, accountId },
    { side, memberId: side === 'buyer' ? actor.userId : undefined },
    {
      before,
      limit: pageSize + 1,
    },
  );
  return entries.map(({ id, at, by, role, userId, texts, comment }) => ({
    id,
    at: new Date(at),
    view:
      texts.length === 0
        ? null
        : {
            type: 'event',
            id: `step-${id}`,
            at,
            ...authorView(room, actor, { role, userId, name: by }),
            ...(side === 'staff' && { author: by, isOwn: false }),
            texts,
            note: comment,
          },
  }));
}

async function listEvents(actor: Actor, room: Room, before: number | undefined): Promise<Item<EventView>[]> {
  const { orderId, side, until, state, targetUrls } = room;
  if (state === null) return [];
  const rows = await db()
    .select({ event: placementEvents, name: users.name, email: users.email })
    .from(placementEvents)
    .leftJoin(users, eq(users.id, placementEvents.actorId))
    .where(
      and(
        eq(placementEvents.orderId, orderId),
        before === undefined ? undefined : lt(placementEvents.id, before),
        until ? lt(placementEvents.at, until) : undefined,
      ),
    )
    .orderBy(desc(placementEvents.id))
    .limit(pageSize + 1);
  return rows.map(({ event, name, email }) => {
    const { id, at, role, actorId: userId } = event;
    const described = describeEvent(event, side);
    return {
      id,
      at,
      view: described && {
        type: 'event',
        id: `event-${id}`,
        at: at.toISOString(),
        ...authorView(room, actor, { role, userId, name: name || email || findJobName(event) }),
        // The text names the side.
        ...(side !== 'staff' && { author: '' }),
        ...described,
        ...(side === 'staff' && { hasContactData: isParty(role) && hasContactData(described.note, targetUrls) }),
      },
    };
  });
}

/** Returns the name of the job that made a step, as the audit log has it; null for a step of a person. */
const findJobName = ({ role, action }: typeof placementEvents.$inferSelect) =>
  role !== 'system'
    ? null
    : action === 'lost' || action.startsWith('link_')
      ? systemActors.linkChecks
      : systemActors.orderDeadlines;

const isParty = (role: PlacementRole) => role === 'buyer' || role === 'seller';

async function listMessages(actor: Actor, room: Room, before: number | undefined): Promise<Item<MessageView>[]> {
  const { orderId, until } = room;
  const rows = await db()
    .select({ message: orderMessages, name: users.name, email: users.email })
    .from(orderMessages)
    .innerJoin(users, eq(users.id, orderMessages.authorId))
    .where(
      and(
        eq(orderMessages.orderId, orderId),
        before === undefined ? undefined : lt(orderMessages.id, before),
        until ? lt(orderMessages.at, until) : undefined,
      ),
    )
    .orderBy(desc(orderMessages.id))
    .limit(pageSize + 1);
  const ids = rows.map(({ message }) => message.id);
  const files =
    ids.length === 0
      ? []
      : await db()
          .select()
          .from(orderMessageFiles)
          .where(inArray(orderMessageFiles.messageId, ids))
          .orderBy(orderMessageFiles.id);
  return rows.map(({ message, name, email }) => ({
    id: message.id,
    at: message.at,
    view: messageView(
      { ...message, files: files.filter(({ messageId }) => messageId === message.id), authorName: name || email },
      room,
      actor,
    ),
  }));
}
