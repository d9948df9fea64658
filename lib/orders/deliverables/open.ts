import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderContents } from '@/db/schema/orders';
import { AppError } from '@/lib/errors';
import type { Attachment } from '@/lib/platform/http/attachment-response';
import { contentStore } from '@/lib/platform/storage/store';

/**
 * Opens the current content of an order for sending. The caller checks access.
 * @throws AppError not_found before delivery
 */
export async function openContent(orderId: number): Promise<Attachment> {
  const [content] = await db()
    .select()
    .from(orderContents)
    .where(and(eq(orderContents.orderId, orderId), isNull(orderContents.replacedAt)));
  if (!content) throw new AppError('not_found', `No content has been delivered for order #${orderId} yet.`);
  const { fileName, mediaType, sizeBytes, storageKey } = content;
  return { fileName, mediaType, sizeBytes, stream: await contentStore().get(storageKey) };
}
