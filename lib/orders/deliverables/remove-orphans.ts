import { eq, inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderContents, orders } from '@/db/schema/orders';
import { log } from '../../platform/log/log';
import { parseOrderId } from '../../platform/storage/storage-key';
import { contentStore, type StoredFile } from '../../platform/storage/store';

/** The minimum age of an orphan. A younger file may belong to an upload in progress. */
const minimumAgeMs = 24 * 60 * 60 * 1000;
/** The number of keys per statement. A page of the local store holds the files of one order, so pages are combined. */
const batchSize = 500;

type Figures = Record<'files' | 'removed' | 'failed' | 'unfinished', number>;

/**
 * Deletes stored files without a database row, left by uploads that failed between the store and the database. Only
 * deletes files that are older than a day, of orders that exist in this database and are older than the file. Therefore
 * a new database that shares a store with another one deletes nothing. Also removes unfinished multipart uploads after a
 * day.
 * @returns the numbers of files, deleted files, failed deletions, and removed unfinished uploads
 */
export async function removeOrphans(): Promise<Figures> {
  const counts = { files: 0, removed: 0, failed: 0, unfinished: 0 };
  const youngest = Date.now() - minimumAgeMs;
  let candidates: StoredFile[] = [];
  for await (const page of contentStore().list()) {
    counts.files += page.length;
    candidates.push(...page.filter(({ modifiedAt }) => modifiedAt.getTime() < youngest));
    for (; candidates.length >= batchSize; candidates = candidates.slice(batchSize)) {
      await removeOrphansAmong(candidates.slice(0, batchSize), counts);
    }
  }
  await removeOrphansAmong(candidates, counts);
  const unfinished = await contentStore().removeUnfinished(new Date(youngest));
  counts.unfinished = unfinished.removed;
  counts.failed += unfinished.failed;
  return counts;
}

async function removeOrphansAmong(files: StoredFile[], done: Figures): Promise<void> {
  for (const orphan of await findOrphansAmong(files)) {
    const isDone = await remove(orphan);
    done[isDone ? 'removed' : 'failed'] += 1;
  }
}

type Orphan = { key: string; orderId: number };

async function findOrphansAmong(files: StoredFile[]): Promise<Orphan[]> {
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
  const referencedKeys = new Set(named.map(({ key }) => key));
  const since = new Map(known.map(({ id, createdAt }) => [id, createdAt]));
  return candidates.filter(({ key, orderId, modifiedAt }) => {
    const createdAt = since.get(orderId);
    return !referencedKeys.has(key) && createdAt !== undefined && createdAt <= modifiedAt;
  });
}

/** @returns whether the file was deleted; a failed deletion is retried by the next run */
async function remove({ key, orderId }: Orphan): Promise<boolean> {
  try {
    return !(await deleteIfUnreferenced(orderId, key));
  } catch (thrown) {
    log().error({ storageKey: key, err: thrown }, 'An orphaned content file could not be deleted.');
    return false;
  }
}

/**
 * Deletes a stored file unless a row references it. Locks the order, which waits for an upload in progress.
 * @returns whether a row references the file and it was kept
 */
export async function deleteIfUnreferenced(orderId: number, storageKey: string): Promise<boolean> {
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
