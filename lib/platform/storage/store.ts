import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { env } from '../../env';
import { localStore } from './local-store';
import { s3Store } from './s3-store';

/** What is put into the store: its bytes, and what is known about them before they are sent. */
type StoredBody = { stream: Readable; sizeBytes: number /** Lower-case hex. */; sha256: string };

/** A file as the store lists it. */
export type StoredFile = { key: string; modifiedAt: Date };

/** How many of the uploads that broke off were removed, and how many could not be. */
export type UnfinishedFigures = Record<'removed' | 'failed', number>;

/** Where delivered files lie. Keys are made by `newStorageKey` and nothing else. */
export type ContentStore = {
  /** All or nothing: a key can be read only once every byte is there. */
  put(key: string, body: StoredBody): Promise<void>;
  /** @throws AppError not_found when the store does not have it */
  get(key: string): Promise<Readable>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /** Every file below "orders/", a page at a time; of an upload that broke off, the key it was meant for. */
  list(): AsyncGenerator<StoredFile[]>;
  /** Removes what uploads left that were begun before then and broke off, beside those in `list`. */
  removeUnfinished(before: Date): Promise<UnfinishedFigures>;
};

/** The store of this installation: S3-compatible when S3_BUCKET is set, else a folder under DATA_DIR. */
export function contentStore(): ContentStore {
  const { DATA_DIR, S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env();
  if (S3_BUCKET && S3_ENDPOINT && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY) {
    return s3Store({
      endpoint: S3_ENDPOINT,
      region: S3_REGION,
      bucket: S3_BUCKET,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    });
  }
  return localStore(join(DATA_DIR, 'content'));
}
