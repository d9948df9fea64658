import { and, eq, lt } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderMessageFiles, orderMessages } from '@/db/schema/order-messages';
import { AppError } from '@/lib/errors';
import type { Attachment } from '@/lib/platform/http/attachment-response';
import { contentStore } from '@/lib/platform/storage/store';
import type { Room } from './room';

/**
 * Opens a file of a room for sending.
 * @throws AppError not_found, also for a file of another room
 */
export async function openMessageFile({ orderId, until }: Room, fileId: string): Promise<Attachment> {
  const [file] = await db()
    .select({
      fileName: orderMessageFiles.fileName,
      mediaType: orderMessageFiles.mediaType,
      sizeBytes: orderMessageFiles.sizeBytes,
      storageKey: orderMessageFiles.storageKey,
    })
    .from(orderMessageFiles)
    .innerJoin(orderMessages, eq(orderMessages.id, orderMessageFiles.messageId))
    .where(
      and(
        eq(orderMessageFiles.id, fileId),
        eq(orderMessages.orderId, orderId),
        until ? lt(orderMessages.at, until) : undefined,
      ),
    );
  if (!file) throw new AppError('not_found', `Order #${orderId} has no such file.`);
  const { storageKey, ...facts } = file;
  return { ...facts, stream: await contentStore().get(storageKey) };
}
