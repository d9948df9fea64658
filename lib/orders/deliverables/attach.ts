import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderContents, orders } from '@/db/schema/orders';
import type { Actor } from '../../access/actor';
import { AppError } from '../../errors';
import { newId } from '../../ids';
import { recordAudit } from '../../platform/audit/record';
import { log } from '../../platform/log/log';
import { requireCleanFile } from '../../platform/storage/clamd';
import { safeFileName } from '../../platform/storage/safe-file-name';
import { type SpooledFile, spool } from '../../platform/storage/spool';
import { newStorageKey } from '../../platform/storage/storage-key';
import { contentStore } from '../../platform/storage/store';
import { tellBuyerOfContent } from '../tell-buyer';
import { fileKind } from './file-kind';
import { deleteUnlessKept } from './remove-orphans';

/** At most 25 MB (decision 15). */
export const maxContentBytes = 25_000_000;

export type AttachedContent = { fileName: string; mediaType: string; sizeBytes: number; sha256: string };

/**
 * Delivers a file for an order; it takes the place of an earlier one, which stays in the history. The file is checked
 * as a whole before anything is kept.
 * @param file its bytes; read to the end, or destroyed when it is refused
 * @param name as the browser sent it
 * @throws AppError not_found, too_large, unsupported_type, invalid_input for an empty or infected file, provider_failed
 * when the virus scanner or the store does not answer
 */
export async function attachContent(
  actor: Actor,
  orderId: number,
  file: Readable,
  name: string,
): Promise<AttachedContent> {
  const live = and(eq(orders.id, orderId), isNull(orders.deletedAt));
  const [known] = await db().select({ id: orders.id }).from(orders).where(live);
  if (!known) {
    file.destroy();
    throw new AppError('not_found', `Order #${orderId} does not exist or was deleted.`);
  }
  const fileName = safeFileName(name);
  return spool(file, maxContentBytes, async (spooled) => {
    const mediaType = await fileKind(spooled.path, fileName);
    const content = { fileName, mediaType, sizeBytes: spooled.sizeBytes, sha256: spooled.sha256 };
    await requireCleanFile(spooled.path, (found) => writeDownInfection(actor, orderId, fileName, found));
    const storageKey = newStorageKey(orderId);
    await contentStore().put(storageKey, bodyOf(spooled));
    try {
      await db().transaction(async (tx) => {
        // Two uploads for one order queue here, so that exactly one content is in force.
        const [order] = await tx.select().from(orders).where(live).for('no key update');
        if (!order) throw new AppError('not_found', `Order #${orderId} does not exist or was deleted.`);
        const [replaced] = await tx
          .update(orderContents)
          .set({ replacedAt: new Date() })
          .where(and(eq(orderContents.orderId, orderId), isNull(orderContents.replacedAt)))
          .returning({ fileName: orderContents.fileName, sha256: orderContents.sha256 });
        await tx
          .insert(orderContents)
          .values({ id: newId(), orderId, storageKey, uploadedBy: actor.userId, ...content });
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
        await tellBuyerOfContent(tx, order, { fileName, isReplacement: replaced !== undefined });
      });
    } catch (thrown) {
      if (!(await deleteIfOrphaned(orderId, storageKey))) throw thrown;
    }
    return content;
  });
}

/** Not with the order's own history, which its buyer reads. */
async function writeDownInfection(actor: Actor, orderId: number, fileName: string, found: string): Promise<void> {
  await recordAudit(db(), actor, {
    action: 'content.refused',
    details: `Order #${orderId}: ${fileName} was refused, the virus scanner found ${found}.`,
    entityType: 'content',
    entityId: orderId,
  });
}

function bodyOf({ path, sizeBytes, sha256 }: SpooledFile) {
  return { stream: createReadStream(path), sizeBytes, sha256 };
}

/**
 * For a file whose row could not be written, as far as one knows: the commit may have happened and only its answer
 * been lost, and a row without its file cannot be mended. So the file is deleted only when the row is surely not there.
 * Nothing is thrown, so that whoever asks can tell the first error.
 * @returns whether the row is there after all
 */
async function deleteIfOrphaned(orderId: number, storageKey: string): Promise<boolean> {
  try {
    return await deleteUnlessKept(orderId, storageKey);
  } catch (thrown) {
    // A file too many takes a little room; it is told, for whoever looks after the store.
    log().error({ storageKey, err: thrown }, 'A content file may lie in the store without an order.');
    return false;
  }
}
