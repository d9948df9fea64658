import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { env } from '@/lib/env';
import { log } from '@/lib/platform/log/log';
import { localStore } from './local-store';
import { s3Store } from './s3-store';
import { newStorageKey } from './storage-key';
import type { ContentStore } from './store-interface';

/** The opened buckets by the prefix of their variables. */
const buckets = new Map<BucketPrefix, ContentStore>();
type BucketPrefix = 'S3' | 'BACKUP_S3';

/** Opens the bucket that the variables with this prefix name; undefined without them. */
function findBucket(prefix: BucketPrefix): ContentStore | undefined {
  const values = env();
  const [endpoint, bucket] = [values[`${prefix}_ENDPOINT`], values[`${prefix}_BUCKET`]];
  const [accessKeyId, secretAccessKey] = [values[`${prefix}_ACCESS_KEY_ID`], values[`${prefix}_SECRET_ACCESS_KEY`]];
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return undefined;
  const opened =
    buckets.get(prefix) ??
    s3Store({ endpoint, region: values[`${prefix}_REGION`], bucket, accessKeyId, secretAccessKey });
  buckets.set(prefix, opened);
  return opened;
}

/** Returns the store of this installation: S3 when S3_BUCKET is set, otherwise a folder in DATA_DIR. */
export function contentStore(): ContentStore {
  return findBucket('S3') ?? localStore(join(env().DATA_DIR, 'content'));
}

/** Returns the store of the archives of backups: the bucket of BACKUP_S3_BUCKET, otherwise the content store. */
export function backupStore(): ContentStore {
  return findBucket('BACKUP_S3') ?? contentStore();
}

/** Describes where the archives of backups are stored. */
export function describeBackupStore(): string {
  const { S3_BUCKET, BACKUP_S3_BUCKET } = env();
  const bucket = BACKUP_S3_BUCKET ?? S3_BUCKET;
  if (!bucket) return 'Folder of this server (DATA_DIR)';
  return `Bucket ${bucket}${BACKUP_S3_BUCKET ? '' : ', with the delivered files'}`;
}

/** Not an order's id: only this test uses the file. */
const noOrder = 0;

/** Writes a small file, reads it back and deletes it. The message is shown to the administrator. */
export async function testStore(): Promise<{ ok: boolean; message: string }> {
  const store = contentStore();
  const key = newStorageKey(noOrder);
  const bytes = Buffer.from(`Written by App Integrations as ${key}.`);
  try {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await store.put(key, { stream: Readable.from([bytes]), sizeBytes: bytes.length, sha256 });
    const read = await buffer(await store.get(key));
    await store.delete(key);
    if (!read.equals(bytes))
      return { ok: false, message: 'The data that was read differs from the data that was written.' };
  } catch (thrown) {
    log().error({ err: thrown }, 'The content store failed its test.');
    return { ok: false, message: 'A file could not be written, read and deleted. See the server log for the reason.' };
  }
  const { S3_BUCKET } = env();
  return {
    ok: true,
    message: `A file was written to ${S3_BUCKET ? `bucket ${S3_BUCKET}` : 'the folder'}, read and deleted.`,
  };
}
