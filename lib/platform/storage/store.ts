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

let bucket: ContentStore | undefined;

/** Returns the store of this installation: S3 when S3_BUCKET is set, otherwise a folder in DATA_DIR. */
export function contentStore(): ContentStore {
  const { DATA_DIR, S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env();
  if (S3_BUCKET && S3_ENDPOINT && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY) {
    bucket ??= s3Store({
      endpoint: S3_ENDPOINT,
      region: S3_REGION,
      bucket: S3_BUCKET,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    });
    return bucket;
  }
  return localStore(join(DATA_DIR, 'content'));
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
