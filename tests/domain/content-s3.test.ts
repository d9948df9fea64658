import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { s3Store } from '@/lib/content/s3-store';
import { newStorageKey } from '@/lib/content/storage-key';

// A bucket in memory that answers as S3 does and keeps what it was asked.
const objects = new Map<string, Buffer>();
const asked: IncomingMessage[] = [];
let isDown = false;
const server = createServer(async (request, response) => {
  asked.push(request);
  const key = request.url ?? '';
  const body = await buffer(request);
  if (key.startsWith('/content?') && !isDown) {
    response.writeHead(200).end(listingOf(new URL(key, 'http://bucket').searchParams));
    return;
  }
  if (isDown) {
    response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
    return;
  }
  if (request.method === 'PUT') objects.set(key, body);
  if (request.method === 'DELETE') objects.delete(key);
  const found = objects.get(key);
  const status = request.method === 'DELETE' ? 204 : found ? 200 : 404;
  response.writeHead(status).end(request.method === 'GET' ? found : undefined);
});
/** Two a page, with a token that has to be escaped both in XML and in an address. */
function listingOf(query: URLSearchParams): string {
  const names = [...objects.keys()].map((name) => name.replace('/content/', '')).sort();
  const wanted = names.filter((name) => name.startsWith(query.get('prefix') ?? ''));
  const start = Number((query.get('continuation-token') ?? 'a+b&0').split('&')[1]);
  const contents = wanted
    .slice(start, start + 2)
    .map((name) => `<Contents><Key>${name}</Key><LastModified>2026-02-03T04:05:06.000Z</LastModified></Contents>`);
  const isMore = start + 2 < wanted.length;
  const next = isMore ? `<NextContinuationToken>a+b&amp;${start + 2}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?>\n<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${contents.join('\n')}${next}</ListBucketResult>`;
}
let port = 0;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address === 'object' && address) port = address.port;
});
afterAll(() => {
  server.close();
});

const store = () =>
  s3Store({
    endpoint: `http://127.0.0.1:${port}/`,
    region: 'eu-central-1',
    bucket: 'content',
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'secret-of-the-test',
  });
const words = 'An article about spades. '.repeat(10_000);
const sha256 = createHash('sha256').update(words).digest('hex');

it('puts, gets and deletes by signed requests', async () => {
  const key = newStorageKey(7);
  await store().put(key, { stream: Readable.from([Buffer.from(words)]), sizeBytes: words.length, sha256 });
  expect(objects.get(`/content/${key}`)?.toString()).toBe(words);
  expect(await text(await store().get(key))).toBe(words);
  await store().delete(key);
  await store().delete(key);
  await expect(store().get(key)).rejects.toMatchObject({ code: 'not_found' });

  const [put] = asked;
  // S3 refuses an upload of unknown length, and signs over the hash of its bytes.
  expect(put?.headers['content-length']).toBe(String(words.length));
  expect(put?.headers['transfer-encoding']).toBeUndefined();
  expect(put?.headers['x-amz-content-sha256']).toBe(sha256);
  for (const request of asked) {
    expect(request.headers['x-amz-date']).toMatch(/^\d{8}T\d{6}Z$/);
    expect(request.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=[^,]*host[^,]*, Signature=[0-9a-f]{64}$/,
    );
  }
});

it('lists every file, page by page', async () => {
  const keys = Array.from({ length: 5 }, (_, n) => newStorageKey(n + 1)).sort();
  for (const key of keys) await store().put(key, { stream: Readable.from(['x']), sizeBytes: 1, sha256: '' });
  objects.set('/content/backups/today.zip', Buffer.from('x'));
  const pages = [];
  for await (const page of store().list()) pages.push(page);
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  const modifiedAt = new Date('2026-02-03T04:05:06Z');
  expect(pages.flat()).toEqual(keys.map((key) => ({ key, modifiedAt })));
});

it('says that the store fails without repeating what it said', async () => {
  isDown = true;
  try {
    await expect(store().get(newStorageKey(7))).rejects.toMatchObject({
      code: 'provider_failed',
      message: expect.not.stringContaining('SlowDown'),
    });
    await expect(store().list().next()).rejects.toMatchObject({ code: 'provider_failed' });
  } finally {
    isDown = false;
  }
});
