import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterAll, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/db/client';
import { orderContents } from '@/db/schema/orders';
import { attachContent, openContent } from '@/lib/orders/deliverables/content';
import { deleteOrder } from '@/lib/orders/order/delete';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';
import { openLosingProxy } from '@/tests/setup/losing-proxy';

// An in-memory bucket that stores files and refuses to delete them.
const objects = new Map<string, Buffer>();
let isDeleting = true;
const bucket = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { pathname: key } = new URL(request.url ?? '', 'http://bucket');
  if (request.method === 'PUT') objects.set(key, Buffer.concat(chunks));
  if (request.method === 'DELETE' && isDeleting) objects.delete(key);
  const status = request.method === 'DELETE' && !isDeleting ? 503 : objects.has(key) ? 200 : 204;
  response.writeHead(status).end(request.method === 'GET' ? objects.get(key) : undefined);
});
bucket.listen(0, '127.0.0.1');
await once(bucket, 'listening');
const address = bucket.address();
const proxy = await openLosingProxy(process.env.DATABASE_URL ?? '');
Object.assign(process.env, {
  DATABASE_URL: proxy.url,
  S3_ENDPOINT: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
  S3_REGION: 'eu-central-1',
  S3_BUCKET: 'content',
  S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  S3_SECRET_ACCESS_KEY: 'secret-of-the-test',
});
afterAll(async () => {
  await closeDb();
  proxy.close();
  bucket.close();
});

/** An upload whose order is deleted meanwhile. */
const articleThatLosesItsOrder = (work: () => Promise<unknown>) =>
  Readable.from(
    (async function* () {
      yield Buffer.from('The ');
      await work();
      yield Buffer.from('article');
    })(),
  );

it('keeps the file when the commit succeeded and only its response was lost', async () => {
  const admin = await makeUser('Admin');
  const { id } = await makeOrder(1_000);
  const article = articleThatLosesItsOrder(async () => proxy.loseNextCommit());
  expect(await attachContent(admin, id, article, 'article.txt')).toMatchObject({ fileName: 'article.txt' });
  expect(await db().select().from(orderContents).where(eq(orderContents.orderId, id))).toHaveLength(1);
  expect(await text((await openContent(id)).stream)).toBe('The article');
});

it('deletes the file when nothing was committed, and reports the first error if that fails', async () => {
  const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const admin = await makeUser('Admin');
  for (const deletes of [true, false]) {
    isDeleting = deletes;
    const { id } = await makeOrder(1_000);
    const before = objects.size;
    const article = articleThatLosesItsOrder(() => deleteOrder(admin, id));
    await expect(attachContent(admin, id, article, 'article.txt')).rejects.toMatchObject({ code: 'not_found' });
    expect(objects.size).toBe(deletes ? before : before + 1);
    const logged = log.mock.calls.filter(([line]) => String(line).includes('may be stored without an order'));
    expect(logged).toHaveLength(deletes ? 0 : 1);
  }
});
