import type { Readable } from 'node:stream';
import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderContents, orders } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { notifyOfContent } from '@/lib/orders/notices/order-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import type { Attachment } from '@/lib/platform/http/attachment-response';
import { newStorageKey } from '@/lib/platform/storage/storage-key';
import { contentStore } from '@/lib/platform/storage/store';
import { deleteIfOrphaned, type StoredFacts, storeFile } from './store-file';

/**
 * Delivers a file for an order. It replaces an earlier file, which stays in the history. The whole file is validated
 * before it is stored.
 * @param file the content; destroyed if it is rejected
 * @param name the file name sent by the browser
 * @throws AppError not_found, too_large, unsupported_type, invalid_input for an empty or infected file, provider_failed
 * if the virus scanner or the object store is unavailable
 */
export async function attachContent(actor: Actor, orderId: number, file: Readable, name: string): Promise<StoredFacts> {
  const live = and(eq(orders.id, orderId), isNull(orders.deletedAt));
  const [known] = await db().select({ id: orders.id }).from(orders).where(live);
  if (!known) {
    file.destroy();
    throw new AppError('not_found', `Order #${orderId} does not exist or was deleted.`);
  }
  const storageKey = newStorageKey(orderId);
  const content = await storeFile(file, name, {
    storageKey,
    onInfected: (fileName, found) => recordInfection(actor, orderId, fileName, found),
  });
  const { fileName } = content;
  try {
    await db().transaction(async (tx) => {
      // Serializes uploads for one order, so that exactly one content is current.
      const [order] = await tx.select().from(orders).where(live).for('no key update');
      if (!order) throw new AppError('not_found', `Order #${orderId} does not exist or was deleted.`);
      const [replaced] = await tx
        .update(orderContents)
        .set({ replacedAt: new Date() })
        .where(and(eq(orderContents.orderId, orderId), isNull(orderContents.replacedAt)))
        .returning({ fileName: orderContents.fileName, sha256: orderContents.sha256 });
      await tx.insert(orderContents).values({ id: newId(), orderId, storageKey, uploadedBy: actor.userId, ...content });
      await tx.update(orders).set({ updatedAt: new Date() }).where(eq(orders.id, orderId));
      await recordAudit(tx, actor, {
        action: replaced ? 'order.content_replaced' : 'order.content_added',
        details: replaced
          ? `Order #${orderId}: content ${replaced.fileName} replaced by ${fileName}.`
          : `Order #${orderId}: content ${fileName} delivered.`,
        entityType: 'order',
        entityId: orderId,
        ...(replaced && { before: replaced }),
        after: content,
      });
      await notifyOfContent(tx, actor, order, { fileName, isReplacement: replaced !== undefined });
    });
  } catch (thrown) {
    if (!(await deleteIfOrphaned(storageKey))) throw thrown;
  }
  return content;
}

/** Records the infection outside the order's history, which the buyer can read. */
async function recordInfection(actor: Actor, orderId: number, fileName: string, found: string): Promise<void> {
  await recordAudit(db(), actor, {
    action: 'content.refused',
    details: `Order #${orderId}: ${fileName} was refused because the virus scanner found ${found}.`,
    entityType: 'content',
    entityId: orderId,
  });
}

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
