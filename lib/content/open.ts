import type { Readable } from 'node:stream';
import { and, eq, isNull } from 'drizzle-orm';
import { db } from '../../db/client';
import { orderContents } from '../../db/schema/orders';
import { AppError } from '../errors';
import { contentStore } from './store';

export type OpenContent = { fileName: string; mediaType: string; sizeBytes: number; stream: Readable };

/**
 * The content in force of an order, ready to be sent. Whether the reader may have it is the caller's to decide.
 * @throws AppError not_found before delivery
 */
export async function openContent(orderId: number): Promise<OpenContent> {
  const [content] = await db()
    .select()
    .from(orderContents)
    .where(and(eq(orderContents.orderId, orderId), isNull(orderContents.replacedAt)));
  if (!content) throw new AppError('not_found', `No content was delivered for order #${orderId} yet.`);
  const { fileName, mediaType, sizeBytes, storageKey } = content;
  return { fileName, mediaType, sizeBytes, stream: await contentStore().get(storageKey) };
}
