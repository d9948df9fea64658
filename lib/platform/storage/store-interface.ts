import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** A file to store. Its size and hash are known before it is sent. */
type StoredBody = { stream: Readable; sizeBytes: number; sha256: string };

/** A stored file, as listed. */
export type StoredFile = { key: string; modifiedAt: Date };

/** A form that a browser posts to the bucket: all fields, then the file as the field `file`. */
export type UploadForm = { url: string; fields: Record<string, string> };

/** How many incomplete uploads were removed, and how many could not be removed. */
export type CleanupResult = Record<'removed' | 'failed', number>;

/** The store of uploaded files. Keys are created by lib/platform/storage/storage-key.ts only. */
export type ContentStore = {
  /** Atomic: a key is readable only when the file is complete and has the expected hash. */
  put(key: string, body: StoredBody): Promise<void>;
  /** @throws AppError not_found when the key does not exist */
  get(key: string): Promise<Readable>;
  /** Succeeds when the key does not exist. */
  delete(key: string): Promise<void>;
  /** Lists all files in `ownedFolders` in pages, and the keys of incomplete uploads. */
  list(): AsyncGenerator<StoredFile[]>;
  /**
   * Removes incomplete uploads that were started before this time and are not included in `list`: partial files, and
   * files that browsers sent to the bucket and no request has used.
   */
  removeUnfinished(before: Date): Promise<CleanupResult>;
  /**
   * Creates a form that stores one file of exactly this size under the key until it expires. Null if browsers cannot
   * reach the store.
   */
  createForm: ((key: string, limits: { sizeBytes: number; seconds: number }) => Promise<UploadForm>) | null;
};

/**
 * Yields a stream unchanged and fails at its end if its SHA-256 is not the expected one, before a store makes the file
 * readable: a file that changed on the disk since it was checked is not stored.
 */
export async function* verifyChecksum(stream: Readable, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    hash.update(bytes);
    yield bytes;
  }
  if (hash.digest('hex') !== sha256)
    throw new Error('The file differs from the one that was checked. It was not stored.');
}
