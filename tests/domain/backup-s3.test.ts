import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orderContents } from '@/db/schema/orders';
import { sites } from '@/db/schema/sites';
import { openBackup } from '@/lib/backup/queries';
import { restoreBackup } from '@/lib/backup/restore';
import { runBackup, startBackup } from '@/lib/backup/run';
import { attachContent, openContent } from '@/lib/orders/deliverables/content';
import { backupKey } from '@/lib/platform/storage/storage-key';
import { contentStore } from '@/lib/platform/storage/store';
import { makeOrder } from '@/tests/factories/make-order';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { startBucket } from '@/tests/setup/s3-bucket';

const bucket = await startBucket();
afterAll(bucket.close);
// Before the environment is parsed.
Object.assign(process.env, {
  S3_ENDPOINT: bucket.endpoint,
  S3_BUCKET: 'content',
  S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  S3_SECRET_ACCESS_KEY: 'secret-of-the-test',
});

it('stores a backup in the bucket, and downloads and restores it with its files', async () => {
  const admin = await makeUser('Admin');
  const { id: orderId } = await makeOrder(12_345, 5_000);
  await attachContent(admin, orderId, Readable.from([Buffer.from('delivered words')]), 'article.txt');
  const { id } = await startBackup(admin, { withFiles: true });
  await runBackup(id);
  const kept = bucket.objects.get(`/content/${backupKey(id)}`);
  const downloaded = await buffer((await openBackup(admin, id)).stream);
  expect(kept?.equals(downloaded)).toBe(true);

  const late = await makeSite((await makeUser('Seller')).userId, 5_000);
  const [content] = await db().select().from(orderContents).where(eq(orderContents.orderId, orderId));
  await contentStore().delete(content?.storageKey ?? '');
  await restoreBackup(admin, { id });
  expect(await db().select().from(sites).where(eq(sites.id, late))).toEqual([]);
  expect(await text((await openContent(orderId)).stream)).toBe('delivered words');
  await expectSoundBooks();
});
