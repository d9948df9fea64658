import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { eq, inArray } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { orderMessageFiles } from '@/db/schema/order-messages';
import { orderContents, orders } from '@/db/schema/orders';
import { briefArticles } from '@/db/schema/placements';
import { users } from '@/db/schema/users';
import { log } from '@/lib/platform/log/log';
import { requireCleanFile } from '@/lib/platform/storage/clamd';
import { safeFileName } from '@/lib/platform/storage/safe-file-name';
import { spool } from '@/lib/platform/storage/spool';
import { type FileOwner, parseFileOwner } from '@/lib/platform/storage/storage-key';
import { contentStore } from '@/lib/platform/storage/store';
import type { StoredFile } from '@/lib/platform/storage/store-interface';
import { detectFileType, type FileKinds } from './file-kind';

/** The maximum size of an uploaded file. */
export const maxContentBytes = 25_000_000;

/** The facts about a stored file, in the columns of its row. */
export type StoredFacts = { fileName: string; mediaType: string; sizeBytes: number; sha256: string };

type StoreOptions = {
  storageKey: string;
  /** The accepted file types; by default those of delivered content. */
  kinds?: FileKinds;
  /** Receives the sanitized file name and the malware's name before the file is rejected. */
  onInfected: (fileName: string, found: string) => Promise<void>;
};

/**
 * Validates a whole file and stores it. The caller writes the row that references the key, and calls `deleteIfOrphaned`
 * when that fails.
 * @param file the content; destroyed if it is rejected
 * @param name the file name sent by the browser
 * @throws AppError too_large, unsupported_type, invalid_input for an empty or infected file, provider_failed if the virus
 * scanner or the object store is unavailable
 */
export function storeFile(
  file: Readable,
  name: string,
  { storageKey, kinds, onInfected }: StoreOptions,
): Promise<StoredFacts> {
  const fileName = safeFileName(name);
  return spool(file, maxContentBytes, async ({ path, sizeBytes, sha256 }) => {
    const mediaType = await detectFileType(path, fileName, kinds);
    await requireCleanFile(path, (found) => onInfected(fileName, found));
    await contentStore().put(storageKey, { stream: createReadStream(path), sizeBytes, sha256 });
    return { fileName, mediaType, sizeBytes, sha256 };
  });
}

/**
 * Deletes a stored file after the transaction failed, unless its row exists. The row may have been committed although
 * the commit's response was lost, and a row without its file cannot be repaired. Never throws, so that the caller can
 * report the original error.
 * @returns whether the row exists
 */
export async function deleteIfOrphaned(storageKey: string): Promise<boolean> {
  try {
    return await deleteIfUnreferenced(storageKey);
  } catch (thrown) {
    // An orphaned file only takes space. The job remove-orphaned-content deletes it later.
    log().error({ storageKey, err: thrown }, 'A content file may be stored without an order.');
    return false;
  }
}

/** The minimum age of an orphan. A younger file may belong to an upload in progress. */
const minimumAgeMs = 24 * 60 * 60 * 1000;
/** The number of keys per statement. A page of the local store holds the files of one owner, so pages are combined. */
const batchSize = 500;

/** The tables whose rows reference stored files. */
export const fileTables = [orderContents, orderMessageFiles, briefArticles];

type Figures = Record<'files' | 'removed' | 'failed' | 'unfinished', number>;

/**
 * Deletes stored files without a database row, left by uploads that failed between the store and the database. Only
 * deletes files that are older than a day, of orders and users that exist in this database and are older than the file.
 * Therefore a new database that shares a store with another one deletes nothing. Also removes unfinished multipart
 * uploads after a day.
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
  for (const key of await findOrphansAmong(files)) {
    const isDone = await remove(key);
    done[isDone ? 'removed' : 'failed'] += 1;
  }
}

/** Finds the orphans among stored files. @returns their keys */
async function findOrphansAmong(files: StoredFile[]): Promise<string[]> {
  const candidates = files.flatMap((file) => {
    const owner = parseFileOwner(file.key);
    return owner === null ? [] : [{ ...file, owner }];
  });
  if (candidates.length === 0) return [];
  const owners = candidates.map(({ owner }) => owner);
  const [referencedKeys, getCreatedAt] = await Promise.all([
    findReferencedKeys(
      db(),
      candidates.map(({ key }) => key),
    ),
    getCreationTimes(owners),
  ]);
  return candidates
    .filter(({ key, owner, modifiedAt }) => {
      const createdAt = getCreatedAt(owner);
      return !referencedKeys.has(key) && createdAt !== undefined && createdAt <= modifiedAt;
    })
    .map(({ key }) => key);
}

async function findReferencedKeys(on: Executor, keys: string[]): Promise<Set<string>> {
  const rows = await Promise.all(
    fileTables.map((table) => on.select({ key: table.storageKey }).from(table).where(inArray(table.storageKey, keys))),
  );
  return new Set(rows.flat().map(({ key }) => key));
}

/** Reads when the owners of files were created. @returns a function that returns undefined for an unknown owner */
async function getCreationTimes(owners: FileOwner[]): Promise<(owner: FileOwner) => Date | undefined> {
  const orderIds = [...new Set(owners.flatMap((owner) => ('orderId' in owner ? [owner.orderId] : [])))];
  const userIds = [...new Set(owners.flatMap((owner) => ('userId' in owner ? [owner.userId] : [])))];
  const [ofOrders, ofUsers] = await Promise.all([
    db().select({ id: orders.id, createdAt: orders.createdAt }).from(orders).where(inArray(orders.id, orderIds)),
    db().select({ id: users.id, createdAt: users.createdAt }).from(users).where(inArray(users.id, userIds)),
  ]);
  const known = new Map([...ofOrders, ...ofUsers].map(({ id, createdAt }) => [id, createdAt]));
  return (owner) => known.get('orderId' in owner ? owner.orderId : owner.userId);
}

/** Deletes a file. @returns whether the file was deleted; a failed deletion is retried by the next run */
async function remove(key: string): Promise<boolean> {
  try {
    return !(await deleteIfUnreferenced(key));
  } catch (thrown) {
    log().error({ storageKey: key, err: thrown }, 'An orphaned content file could not be deleted.');
    return false;
  }
}

/**
 * Deletes a stored file unless a row references it. Locks the order or the user that owns the file, which waits for an
 * upload in progress.
 * @returns whether a row references the file and it was kept
 */
async function deleteIfUnreferenced(storageKey: string): Promise<boolean> {
  const isKept = await db().transaction(async (tx) => {
    const owner = parseFileOwner(storageKey);
    if (owner && 'orderId' in owner) {
      await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, owner.orderId)).for('no key update');
    } else if (owner) {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, owner.userId)).for('no key update');
    }
    return (await findReferencedKeys(tx, [storageKey])).size > 0;
  });
  if (!isKept) await contentStore().delete(storageKey);
  return isKept;
}
