import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { log } from '@/lib/platform/log/log';
import { requireCleanFile } from '@/lib/platform/storage/clamd';
import { safeFileName } from '@/lib/platform/storage/safe-file-name';
import { spool } from '@/lib/platform/storage/spool';
import { contentStore } from '@/lib/platform/storage/store';
import { detectFileType, type FileKinds } from './file-kind';
import { deleteIfUnreferenced } from './remove-orphans';

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
