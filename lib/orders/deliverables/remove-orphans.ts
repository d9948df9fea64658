import { eq, inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderContents, orders } from '@/db/schema/orders';
import { log } from '../../platform/log/log';
import { parseOrderId } from '../../platform/storage/storage-key';
import { contentStore, type StoredFile } from '../../platform/storage/store';

/** An upload takes minutes; whatever is younger may still get its row. */
const graceMs = 24 * 60 * 60 * 1000;
/** Keys that one statement asks about, from however many pages: a page of the local store is one order's. */
const batchSize = 500;

type Figures = Record<'files' | 'removed' | 'failed' | 'unfinished', number>;

/**
 * Deletes files that no row names: of uploads that broke off between the store and the database. Only those older than
 * a day, and only of orders that this database knows and that are older than the file, so that a database which was
 * just made takes nothing out of a store that belongs to another one. What is left of an upload that broke off and is no
 * file yet goes after a day as well.
 * @returns how many files there are, how many were deleted, how many could not be, and how many were never finished
 */
export async function removeOrphans(): Promise<Figures> {
  const done = { files: 0, removed: 0, failed: 0, unfinished: 0 };
  const youngest = Date.now() - graceMs;
  let waiting: StoredFile[] = [];
  for await (const page of contentStore().list()) {
    done.files += page.length;
    waiting.push(...page.filter(({ modifiedAt }) => modifiedAt.getTime() < youngest));
    for (; waiting.length >= batchSize; waiting = waiting.slice(batchSize)) {
      await removeAmong(waiting.slice(0, batchSize), done);
    }
  }
  await removeAmong(waiting, done);
  const unfinished = await contentStore().removeUnfinished(new Date(youngest));
  done.unfinished = unfinished.removed;
  done.failed += unfinished.failed;
  return done;
}

async function removeAmong(files: StoredFile[], done: Figures): Promise<void> {
  for (const orphan of await orphansAmong(files)) {
    const isDone = await remove(orphan);
    done[isDone ? 'removed' : 'failed'] += 1;
  }
}

type Orphan = { key: string; orderId: number };

async function orphansAmong(files: StoredFile[]): Promise<Orphan[]> {
  const candidates = files.flatMap((file) => {
    const orderId = parseOrderId(file.key);
    return orderId === null ? [] : [{ ...file, orderId }];
  });
  if (candidates.length === 0) return [];
  const orderIds = [...new Set(candidates.map(({ orderId }) => orderId))];
  const [named, known] = await Promise.all([
    db()
      .select({ key: orderContents.storageKey })
      .from(orderContents)
      .where(
        inArray(
          orderContents.storageKey,
          candidates.map(({ key }) => key),
        ),
      ),
    db().select({ id: orders.id, createdAt: orders.createdAt }).from(orders).where(inArray(orders.id, orderIds)),
  ]);
  const kept = new Set(named.map(({ key }) => key));
  const since = new Map(known.map(({ id, createdAt }) => [id, createdAt]));
  return candidates.filter(({ key, orderId, modifiedAt }) => {
    const createdAt = since.get(orderId);
    return !kept.has(key) && createdAt !== undefined && createdAt <= modifiedAt;
  });
}

/** @returns whether the file is gone; one that stays is tried again by the next run */
async function remove({ key, orderId }: Orphan): Promise<boolean> {
  try {
    return !(await deleteUnlessKept(orderId, key));
  } catch (thrown) {
    log().error({ storageKey: key, err: thrown }, 'An orphaned content file could not be deleted.');
    return false;
  }
}

/**
 * Deletes a file that no row names. An upload of the same order that is still writing its row is waited for: it holds
 * the order to its end.
 * @returns whether a row names it, and the file stays
 */
export async function deleteUnlessKept(orderId: number, storageKey: string): Promise<boolean> {
  const isKept = await db().transaction(async (tx) => {
    await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for('no key update');
    const rows = await tx
      .select({ id: orderContents.id })
      .from(orderContents)
      .where(eq(orderContents.storageKey, storageKey));
    return rows.length > 0;
  });
  if (!isKept) await contentStore().delete(storageKey);
  return isKept;
}
