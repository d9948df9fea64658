import { z } from 'zod';
import type { orderMessageFiles, orderMessages } from '@/db/schema/order-messages';
import { type PlacementRole, placementRoles } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { trimProse } from '@/lib/network/visible-text';
import { maxMessageLength } from './limits';
import type { Room } from './room';

/** The body of POST …/messages as JSON, and the texts of the form. Empty only with files. */
export const messageBody = z.object({
  text: z
    .string({ error: 'Enter a message.' })
    .overwrite(trimProse)
    .max(maxMessageLength, `Use at most ${maxMessageLength.toLocaleString('en-US')} characters.`)
    .default(''),
});

/** A position in a room: the oldest step of the order, of the placement, and message of a page. */
const position = z
  .string()
  .regex(/^\d{1,15}\.\d{1,15}\.\d{1,15}$/, 'Use the `older` of an earlier response.')
  .transform((text) => {
    const [step = 0, event = 0, message = 0] = text.split('.').map(Number);
    return { step, event, message };
  });

export type RoomPosition = z.output<typeof position>;

/** The query of GET …/messages. */
export const roomQuery = z.object({
  before: position.optional().describe('The `older` of an earlier response, for the page before it.'),
});

const entry = z.object({
  id: z.string().describe('Unique in the room.'),
  at: z.iso.datetime(),
  by: z.enum(placementRoles),
  author: z
    .string()
    .describe('“You”, the side, or for staff the name of the author; empty for a step whose text names the side.'),
  isOwn: z.boolean(),
});

const contactMark = z
  .boolean()
  .optional()
  .describe('Whether buyer or seller wrote what seems to be contact data; for staff only.');

/** A message, as one side sees it. */
export const messageResponse = entry
  .extend({
    type: z.literal('message'),
    text: z.string(),
    files: z.array(
      z.object({
        id: z.string(),
        fileName: z.string(),
        mediaType: z.string(),
        sizeBytes: z.int(),
        path: z.string().describe('The URL of the download.'),
      }),
    ),
    isUnread: z.boolean(),
    hasContactData: contactMark,
  })
  .meta({ title: 'OrderMessage' });

/** A step of the order. */
const eventResponse = entry.extend({
  type: z.literal('event'),
  texts: z.array(z.string()).describe('What happened, in sentences.'),
  note: z.string().describe('The words of the user who made the change; may be empty.'),
  hasContactData: contactMark,
});

/** The response of GET …/messages. */
export const roomResponse = z
  .object({
    entries: z.array(z.discriminatedUnion('type', [eventResponse, messageResponse])).describe('Oldest first.'),
    older: z.string().nullable().describe('The `before` of the next older page; null on the last one.'),
    newestMessageId: z.int().describe('The newest message of the room; 0 without messages.'),
    unread: z.int().describe('The number of unread messages of the room.'),
    closed: z.string().nullable().describe('Why the caller cannot write messages; null if they can.'),
  })
  .meta({ title: 'OrderRoom' });

export type MessageView = z.output<typeof messageResponse>;
export type EventView = z.output<typeof eventResponse>;
export type RoomEntry = EventView | MessageView;
export type RoomView = z.output<typeof roomResponse>;

type MessageRow = Pick<
  typeof orderMessages.$inferSelect,
  'id' | 'at' | 'role' | 'authorId' | 'text' | 'hasContactData'
> & {
  files: readonly Pick<typeof orderMessageFiles.$inferSelect, 'id' | 'fileName' | 'mediaType' | 'sizeBytes'>[];
  /** Null for a user who no longer exists. */
  authorName: string | null;
};

/** The sides, as their messages are labeled for the others. */
export const sideNames: Record<PlacementRole, string> = {
  buyer: 'Buyer',
  seller: 'Seller',
  staff: 'Our team',
  system: 'System',
};

/**
 * Returns the author of an entry as a reader sees it: buyer and seller see the side only, and the names of colleagues;
 * staff see the name.
 * @param role the side for which the author acted
 */
export function authorView(
  { side }: Pick<Room, 'side'>,
  reader: Pick<Actor, 'userId'>,
  { role, userId, name }: { role: PlacementRole; userId: string | null; name: string | null },
) {
  const isColleague = side === 'buyer' && role === side && userId !== null && userId !== reader.userId;
  const isOwn = side === 'staff' ? userId === reader.userId : role === side && !isColleague;
  const staffLabel = name
    ? role === 'staff' || role === 'system'
      ? name
      : `${name} (${sideNames[role].toLowerCase()})`
    : sideNames[role];
  return {
    by: role,
    isOwn,
    author: isOwn ? 'You' : side === 'staff' ? staffLabel : isColleague && name ? name : sideNames[role],
  };
}

/** Returns a message as one side sees it. */
export function messageView(row: MessageRow, room: Room, reader: Pick<Actor, 'userId'>): MessageView {
  const { id, at, role, authorId, text, files, authorName, hasContactData } = row;
  const author = authorView(room, reader, { role, userId: authorId, name: authorName });
  return {
    type: 'message',
    id: `message-${id}`,
    at: at.toISOString(),
    ...author,
    text,
    files: files.map(({ id: fileId, fileName, mediaType, sizeBytes }) => ({
      id: fileId,
      fileName,
      mediaType,
      sizeBytes,
      path: `${messagesPath(room)}/files/${fileId}`,
    })),
    isUnread: !author.isOwn && id > room.lastMessageId,
    ...(room.side === 'staff' && { hasContactData }),
  };
}

const apiFolders = { buyer: '/api/orders', seller: '/api/seller/orders', staff: '/api/admin/orders' };

/** Returns the path of a room's messages in the API. */
export const messagesPath = ({ side, orderId }: Pick<Room, 'side' | 'orderId'>): string =>
  `${apiFolders[side]}/${orderId}/messages`;
