import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, afterEach, expect, it } from 'vitest';
import { newId } from '@/lib/ids';
import { s3Store } from '@/lib/platform/storage/s3-store';
import { backupKey, newStorageKey } from '@/lib/platform/storage/storage-key';
import { startBucket, type Upload } from '@/tests/setup/s3-bucket';

const { endpoint, objects, uploads, requests, trouble, close } = await startBucket();
afterAll(close);
afterEach(() => {
  trouble.refuses = () => false;
  trouble.redirectsTo = undefined;
});

const store = (partBytes?: number) =>
  s3Store({
    endpoint,
    region: 'eu-central-1',
    bucket: 'content',
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'secret-of-the-test',
    partBytes,
  });
const words = 'An article about spades. '.repeat(10_000);
const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const sha256 = hashOf(words);

it('puts, gets and deletes with signed requests', async () => {
  const key = newStorageKey(7);
  await store().put(key, { stream: Readable.from([Buffer.from(words)]), sizeBytes: words.length, sha256 });
  expect(objects.get(`/content/${key}`)?.toString()).toBe(words);
  expect(await text(await store().get(key))).toBe(words);
  await store().delete(key);
  await store().delete(key);
  await expect(store().get(key)).rejects.toMatchObject({ code: 'not_found' });

  const [put] = requests;
  // S3 rejects an upload of unknown length; the signature covers the hash of the bytes.
  expect(put?.headers['content-length']).toBe(String(words.length));
  expect(put?.headers['transfer-encoding']).toBeUndefined();
  expect(put?.headers['x-amz-content-sha256']).toBe(sha256);
  for (const request of requests) {
    expect(request.headers['x-amz-date']).toMatch(/^\d{8}T\d{6}Z$/);
    expect(request.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=[^,]*host[^,]*, Signature=[0-9a-f]{64}$/,
    );
  }
});

it('lists every file over several pages', async () => {
  const keys = Array.from({ length: 5 }, (_, n) => newStorageKey(n + 1)).sort();
  for (const key of keys) await store().put(key, { stream: Readable.from(['x']), sizeBytes: 1, sha256: hashOf('x') });
  objects.set('/content/backups/today.zip', Buffer.from('x'));
  const pages = [];
  for await (const page of store().list()) pages.push(page);
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  const modifiedAt = new Date('2026-02-03T04:05:06Z');
  expect(pages.flat()).toEqual(keys.map((key) => ({ key, modifiedAt })));
});

it("reports a failure without the store's error text", async () => {
  trouble.refuses = () => true;
  await expect(store().get(newStorageKey(7))).rejects.toMatchObject({
    code: 'provider_failed',
    message: expect.not.stringContaining('SlowDown'),
  });
  await expect(store().list().next()).rejects.toMatchObject({ code: 'provider_failed' });
});

it('follows no redirect to another server', async () => {
  const other = await startBucket();
  trouble.redirectsTo = `${other.endpoint}content/elsewhere`;
  await expect(store().get(newStorageKey(7))).rejects.toMatchObject({ code: 'provider_failed' });
  expect(other.requests).toEqual([]);
  other.close();
});

it('reports the error of an unreadable file, and stores nothing', async () => {
  const key = newStorageKey(7);
  const stream = createReadStream('/no/such/file');
  await expect(store().put(key, { stream, sizeBytes: 1, sha256 })).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(store().get(key)).rejects.toMatchObject({ code: 'not_found' });
});

const partBytes = 5 * 1024 ** 2;
const large = randomBytes(2.5 * partBytes);
const largeBody = () => ({
  // Chunks that match no part size.
  stream: Readable.from(Array.from({ length: 200 }, (_, n) => large.subarray(n * 65_537, (n + 1) * 65_537))),
  sizeBytes: large.length,
  sha256: hashOf(large),
});

it('sends a large file in parts, and reads it back complete', async () => {
  const key = newStorageKey(8);
  const before = requests.length;
  await store(partBytes).put(key, largeBody());
  const lengths = requests
    .slice(before)
    .flatMap(({ method, headers }) => (method === 'PUT' ? [headers['content-length']] : []));
  expect(lengths).toEqual([partBytes, partBytes, partBytes / 2].map(String));
  expect(large.equals(await buffer(await store().get(key)))).toBe(true);
});

it('sends a part again that failed once', async () => {
  const key = newStorageKey(8);
  let refusals = 0;
  trouble.refuses = ({ url }) => (url?.includes('partNumber=2') ?? false) && refusals++ === 0;
  await store(partBytes).put(key, largeBody());
  expect(refusals).toBeGreaterThan(1);
  expect(large.equals(await buffer(await store().get(key)))).toBe(true);
});

it.each([
  ['small', () => ({ stream: Readable.from(['x']), sizeBytes: 1, sha256 })],
  ['large', () => ({ ...largeBody(), sha256 })],
])('stores nothing of a %s file that differs from its checksum', async (_, body) => {
  const key = newStorageKey(9);
  await expect(store(partBytes).put(key, body())).rejects.toThrow('differs');
  expect(uploads.size).toBe(0);
  await expect(store().get(key)).rejects.toMatchObject({ code: 'not_found' });
});

it('keeps nothing of a file with a failed part', async () => {
  const key = newStorageKey(9);
  trouble.refuses = ({ url }) => url?.includes('partNumber=3') ?? false;
  await expect(store(partBytes).put(key, largeBody())).rejects.toMatchObject({ code: 'provider_failed' });
  expect(uploads.size).toBe(0);
  expect(requests.at(-1)?.method).toBe('DELETE');
  await expect(store().get(key)).rejects.toMatchObject({ code: 'not_found' });
});

it('aborts the old multipart uploads of killed processes, only for its own keys', async () => {
  const before = new Date('2026-02-03T00:00:00Z');
  const [long, later] = [new Date('2026-02-02T23:59:59Z'), new Date('2026-02-03T00:00:01Z')];
  const leave = (key: string, begunAt: Date) => {
    const id = `left+${uploads.size}&0`;
    uploads.set(id, { path: `/content/${key}`, begunAt, parts: new Map([['1', Buffer.from('x')]]) });
    return id;
  };
  const ours = [backupKey(newId()), ...Array.from({ length: 5 }, (_, n) => newStorageKey(n + 1))];
  for (const key of ours) leave(key, long);
  const kept = [
    leave(newStorageKey(7), later),
    leave(backupKey(newId()), later),
    leave('orders/foreign-key', long),
    leave('archive/2026', long),
  ];
  expect(await store().removeUnfinished(before)).toEqual({ removed: ours.length, failed: 0 });
  expect([...uploads.keys()].sort()).toEqual(kept.sort());
  expect(await store().removeUnfinished(before)).toEqual({ removed: 0, failed: 0 });
  uploads.clear();
});

it('continues past uploads that cannot be aborted or listed, and keeps undated ones', async () => {
  const before = new Date('2026-02-03T00:00:00Z');
  const leave = (key: string, begunAt: Upload['begunAt']) =>
    uploads.set(`left ${uploads.size}`, { path: `/content/${key}`, begunAt, parts: new Map() });
  const [stuck, timeless] = [newStorageKey(1), newStorageKey(2)];
  leave(stuck, new Date(0));
  leave(timeless, null);
  for (const key of [newStorageKey(3), newStorageKey(4), backupKey(newId())]) leave(key, new Date(0));
  trouble.refuses = ({ method, url }) => method === 'DELETE' && (url?.includes(stuck) ?? false);
  expect(await store().removeUnfinished(before)).toEqual({ removed: 3, failed: 1 });
  expect([...uploads.values()].map(({ path }) => path)).toEqual([`/content/${stuck}`, `/content/${timeless}`]);

  leave(backupKey(newId()), new Date(0));
  trouble.refuses = ({ url }) => url?.includes('prefix=orders') ?? false;
  expect(await store().removeUnfinished(before)).toEqual({ removed: 1, failed: 1 });
  uploads.clear();
});
