import type { orderMessageFiles, orderMessages } from '@/db/schema/order-messages';
import type { PlacementRole } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import type { MessageView } from './responses';
import type { Room } from './room';

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
 * Returns the author of an entry as a reader sees it: buyer and seller see the side only, staff the name.
 * @param role the side for which the author acted
 */
export function authorView(
  { side }: Pick<Room, 'side'>,
  reader: Pick<Actor, 'userId'>,
  { role, userId, name }: { role: PlacementRole; userId: string | null; name: string | null },
) {
  const isOwn = side === 'staff' ? userId === reader.userId : role === side;
  const staffLabel = name ? (role === 'staff' ? name : `${name} (${sideNames[role].toLowerCase()})`) : sideNames[role];
  return { by: role, isOwn, author: isOwn ? 'You' : side === 'staff' ? staffLabel : sideNames[role] };
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
