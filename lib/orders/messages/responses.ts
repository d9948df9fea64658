import { z } from 'zod';
import { placementRoles } from '@/db/schema/placements';

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
