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

it('says that the store fails without repeating what it said', async () => {
  isDown = true;
  try {
    await expect(store().get(newStorageKey(7))).rejects.toMatchObject({
      code: 'provider_failed',
      message: expect.not.stringContaining('SlowDown'),
    });
  } finally {
    isDown = false;
  }
});
