import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { eq, like } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { POST as attach } from '@/app/api/admin/orders/[id]/[operation]/route';
import { POST as importCsv } from '@/app/api/guest-posts/upload/route';
import { POST as create } from '@/app/api/uploads/route';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { rateLimits } from '@/db/schema/limits';
import { orderMessages } from '@/db/schema/order-messages';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { openContent } from '@/lib/orders/deliverables/content';
import { maxContentBytes, removeOrphans } from '@/lib/orders/deliverables/store-file';
import { findRoom } from '@/lib/orders/messages/room';
import { openMessageFile, postMessageRoute } from '@/lib/orders/messages/routes';
import { limits } from '@/lib/platform/rate-limits/limits';
import { createDirectUpload, receiveDirectUpload } from '@/lib/platform/storage/direct-uploads';
import { directUploadKey } from '@/lib/platform/storage/storage-key';
import { contentStore } from '@/lib/platform/storage/store';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';
import { bearerOf } from '@/tests/setup/bearer-of';
import { bucketKey, startBucket } from '@/tests/setup/s3-bucket';

const bucket = await startBucket();
afterAll(bucket.close);
// Before the environment is parsed.
Object.assign(process.env, {
  S3_ENDPOINT: bucket.endpoint,
  S3_BUCKET: 'content',
  S3_ACCESS_KEY_ID: bucketKey.accessKeyId,
  S3_SECRET_ACCESS_KEY: bucketKey.secretAccessKey,
  S3_DIRECT_UPLOADS: 'on',
});
afterEach(() => {
  vi.useRealTimers();
  bucket.trouble.refuses = () => false;
  bucket.trouble.cutsOff = undefined;
});

type Form = Awaited<ReturnType<typeof createDirectUpload>>;
type Handler = (request: NextRequest, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

async function call(handler: Handler, actor: Actor, body: unknown, params: Record<string, string> = {}) {
  const headers = { 'content-type': 'application/json', ...(await bearerOf(actor.userId)) };
  const request = new NextRequest('http://localhost:3000/', { method: 'POST', headers, body: JSON.stringify(body) });
  const response = await handler(request, { params: Promise.resolve({ operation: 'content', ...params }) });
  return { status: response.status, body: await response.json() };
}

/** Posts a form to the bucket as a browser does. @returns the status and S3's code */
async function post({ url, fields }: Pick<Form, 'url' | 'fields'>, content: string | Buffer) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), 'name of the file');
  const response = await fetch(url, { method: 'POST', body: form });
  return { status: response.status, code: /<Code>(\w+)/.exec(await response.text())?.[1] };
}

/** Sends a file to the bucket. @returns the id of the upload */
async function send(actor: Actor, content: string | Buffer): Promise<string> {
  const form = await createDirectUpload(actor.userId, Buffer.byteLength(content), false);
  expect(await post(form, content)).toEqual({ status: 204 });
  return form.id;
}

const inBucket = (actor: Actor, id: string) => bucket.objects.has(`/content/${directUploadKey(actor.userId, id)}`);
const use = (actor: Actor, upload: string) =>
  receiveDirectUpload(actor.userId, { upload, name: 'a.txt' }, (file) => text(file));
// An own folder for temporary files, to check that none is left.
const temporary = mkdtempSync(join(tmpdir(), 'linkmarket-direct-'));
process.env.TMPDIR = temporary;
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
const spooled = () => readdirSync(temporary);

describe('a form', () => {
  it('stores one file under a key of the caller, for some minutes', async () => {
    const actor = await makeUser();
    const { status, body } = await call(create, actor, { size_bytes: 5 });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{26}$/),
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/content\/?$/),
      fields: expect.objectContaining({ key: directUploadKey(actor.userId, body.id), bucket: 'content' }),
      expires_at: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain(bucketKey.secretAccessKey);
    const minutes = (Date.parse(body.expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14);
    expect(minutes).toBeLessThan(16);
    expect(await post(body, 'words')).toEqual({ status: 204 });
    expect(bucket.objects.get(`/content/${body.fields.key}`)?.toString()).toBe('words');
  });

  const changedPolicy = (fields: Form['fields']) => {
    const policy = Buffer.from(fields.Policy ?? '', 'base64')
      .toString()
      .replace(/5,5/, '0,999');
    return { ...fields, Policy: Buffer.from(policy).toString('base64') };
  };
  it.each<[string, string, (fields: Form['fields'], stranger: Actor) => Form['fields'], object]>([
    ['a larger file', 'wordsy', (fields) => fields, { status: 400, code: 'EntityTooLarge' }],
    ['a smaller file', 'word', (fields) => fields, { status: 400, code: 'EntityTooSmall' }],
    ['a changed size', 'wordsy', changedPolicy, { status: 403 }],
    [
      'the key of another user',
      'words',
      (fields, { userId }) => ({ ...fields, key: directUploadKey(userId, newId()) }),
      { status: 403 },
    ],
    ['the key of a delivered file', 'words', (fields) => ({ ...fields, key: `orders/1/${newId()}` }), { status: 403 }],
    ['a public object', 'words', (fields) => ({ ...fields, acl: 'public-read' }), { status: 403 }],
    ['no policy', 'words', ({ Policy: _, ...fields }) => fields, { status: 403 }],
    ['another signature', 'words', (fields) => ({ ...fields, 'X-Amz-Signature': '0'.repeat(64) }), { status: 403 }],
  ])('does not store %s', async (_, content, change, refusal) => {
    const [actor, stranger] = [await makeUser(), await makeUser()];
    const form = await createDirectUpload(actor.userId, 5, false);
    const before = bucket.objects.size;
    expect(await post({ ...form, fields: change(form.fields, stranger) }, content)).toMatchObject(refusal);
    expect(bucket.objects.size).toBe(before);
  });

  it('stores nothing after it expired', async () => {
    const actor = await makeUser();
    const form = await createDirectUpload(actor.userId, 5, false);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(form.expires_at) });
    expect(await post(form, 'words')).toEqual({ status: 403, code: 'AccessDenied' });
  });

  it('is of at most 50 MB, and of the size of an archive for staff with ManageBackups', async () => {
    expect(await call(create, await makeUser(), { size_bytes: 50_000_001 })).toMatchObject({ status: 413 });
    expect(await call(create, await makeUser('Admin'), { size_bytes: 5_000_000_000 })).toMatchObject({ status: 201 });
    expect(await call(create, await makeUser('Admin'), { size_bytes: 5_000_000_001 })).toMatchObject({ status: 400 });
    for (const size_bytes of [0, -1, 1.5, '5', null, undefined])
      expect(await call(create, await makeUser(), { size_bytes })).toMatchObject({ status: 400 });
  });

  it('is refused beyond the volume of a day', async () => {
    const actor = await makeUser();
    await createDirectUpload(actor.userId, 50_000_000, false);
    await db()
      .update(rateLimits)
      .set({ count: limits.directUpload.account.max - 1 })
      .where(eq(rateLimits.key, `directUpload:account:${actor.userId}`));
    await createDirectUpload(actor.userId, 1, false);
    expect(await call(create, actor, { size_bytes: 1 })).toMatchObject({
      status: 429,
      body: { error: expect.stringContaining('You have uploaded more than 2 GB in one day.') },
    });
  });
});

describe('a file in the bucket', () => {
  const words = 'An article about spades. '.repeat(200_000);

  it('is delivered as the file of a form is, and deleted', async () => {
    const admin = await makeUser('Admin');
    const { id } = await makeOrder(1_000);
    const upload = await send(admin, words);
    const params = { id: String(id) };
    expect(await call(attach, admin, { upload, name: '../Spaten "Entwurf".txt' }, params)).toMatchObject({
      status: 201,
      body: { content: { fileName: 'Spaten "Entwurf".txt', sizeBytes: words.length } },
    });
    expect((await buffer((await openContent(id)).stream)).toString()).toBe(words);
    expect(inBucket(admin, upload)).toBe(false);
    expect(await call(attach, admin, { upload, name: 'again.txt' }, params)).toMatchObject({
      status: 404,
      body: { error: 'This upload does not exist, or was already used. Please upload the file again.' },
    });
    expect((await openContent(id)).fileName).toBe('Spaten "Entwurf".txt');
  });

  it.each([
    ['of another type', 'MZ\u0090\u0000\u0003', 'offer.pdf', 415],
    ['that is too large', Buffer.alloc(maxContentBytes + 1, 'a'), 'large.txt', 413],
  ])('%s is refused as in a form, and deleted', async (_, content, name, status) => {
    const admin = await makeUser('Admin');
    const { id } = await makeOrder(1_000);
    const upload = await send(admin, content);
    expect(await call(attach, admin, { upload, name }, { id: String(id) })).toMatchObject({ status });
    expect(inBucket(admin, upload)).toBe(false);
    await expect(openContent(id)).rejects.toMatchObject({ code: 'not_found' });
    expect(spooled()).toEqual([]);
  });

  it('of an order that does not exist is deleted', async () => {
    const admin = await makeUser('Admin');
    const upload = await send(admin, 'words');
    expect(await call(attach, admin, { upload, name: 'a.txt' }, { id: '999999999' })).toMatchObject({ status: 404 });
    expect(inBucket(admin, upload)).toBe(false);
  });

  it('is not found by another user, who cannot prevent its use either', async () => {
    const [owner, other] = [await makeUser('Admin'), await makeUser('Admin')];
    const upload = await send(owner, 'words');
    await expect(use(other, upload)).rejects.toMatchObject({ code: 'not_found' });
    await expect(use(other, `../${owner.userId}/${upload}`)).rejects.toMatchObject({ code: 'not_found' });
    expect(await use(owner, upload)).toBe('words');
  });

  it.each(['', '..', '%2e%2e', newId().toUpperCase(), `${newId()}/x`, '__proto__'])(
    'is not found as %j',
    async (id) => {
      await expect(use(await makeUser(), id)).rejects.toMatchObject({ code: 'not_found' });
    },
  );

  it('is used once by concurrent requests', async () => {
    const actor = await makeUser();
    const upload = await send(actor, 'words');
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => use(actor, upload)));
    expect(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))).toEqual(['words']);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'not_found' });
    expect(inBucket(actor, upload)).toBe(false);
  });

  it('is not used again if the form is posted once more', async () => {
    const actor = await makeUser();
    const form = await createDirectUpload(actor.userId, 5, false);
    await post(form, 'words');
    expect(await use(actor, form.id)).toBe('words');
    expect(await post(form, 'other')).toEqual({ status: 204 });
    await expect(use(actor, form.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is imported once, also at the same time', async () => {
    const admin = await makeUser('Admin');
    const rows = Array.from({ length: 500 }, (_, row) => `https://${newId()}.example.com,Site ${row},5`);
    const upload = await send(admin, ['URL,Name,Price', ...rows].join('\n'));
    const outcomes = await Promise.all([1, 2, 3].map(() => call(importCsv, admin, { upload, name: 'sites.csv' })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await db().$count(sites, eq(sites.ownerId, admin.userId))).toBe(500);
    expect(await db().$count(auditLogs, eq(auditLogs.userId, admin.userId))).toBe(1);
  });

  it('is attached to a message with others; none is kept if one is missing', async () => {
    const { id, buyer } = await makeOrder(1_000);
    const params = { id: String(id) };
    const route = postMessageRoute('buyer');
    const [first, second] = [await send(buyer, 'first'), await send(buyer, 'second')];
    const stored = () => [...bucket.objects.keys()].filter((key) => key.startsWith(`/content/orders/${id}/`));
    const missing = { upload: newId(), name: 'missing.txt' };
    expect(
      await call(route, buyer, { text: '', uploads: [{ upload: first, name: 'first.txt' }, missing] }, params),
    ).toMatchObject({ status: 404 });
    expect(stored()).toEqual([]);
    expect(await db().$count(orderMessages, eq(orderMessages.orderId, id))).toBe(0);

    const again = await send(buyer, 'first');
    const uploads = [
      { upload: again, name: 'first.txt' },
      { upload: second, name: 'second.txt' },
    ];
    const posted = await call(route, buyer, { text: 'Two files', uploads }, params);
    expect(posted).toMatchObject({ status: 201, body: { text: 'Two files' } });
    const files = z.array(z.object({ id: z.string(), fileName: z.string() })).parse(posted.body.files);
    expect(files.map(({ fileName }) => fileName)).toEqual(['first.txt', 'second.txt']);
    const room = await findRoom(buyer, 'buyer', id);
    expect(await text((await openMessageFile(room, files[1]?.id ?? '')).stream)).toBe('second');
    const six = Array.from({ length: 6 }, () => missing);
    expect(await call(route, buyer, { text: '', uploads: six }, params)).toMatchObject({
      status: 400,
      body: { error: 'Attach at most 5 files.' },
    });
  });
});

describe('while the bucket does not respond', () => {
  it('a file can be used later if it was not read yet', async () => {
    const actor = await makeUser();
    const upload = await send(actor, 'words');
    bucket.trouble.refuses = ({ method }) => method === 'GET';
    await expect(use(actor, upload)).rejects.toMatchObject({ code: 'provider_failed' });
    bucket.trouble.refuses = () => false;
    expect(await use(actor, upload)).toBe('words');
  });

  it('a file that was not sent completely is not stored, and has to be uploaded again', async () => {
    const admin = await makeUser('Admin');
    const { id } = await makeOrder(1_000);
    const upload = await send(admin, 'a'.repeat(1_000_000));
    bucket.trouble.cutsOff = ({ url }) => url?.includes(upload) ?? false;
    expect(await call(attach, admin, { upload, name: 'a.txt' }, { id: String(id) })).toMatchObject({
      status: 502,
      body: { error: 'The file store did not send the whole file. Please upload it again.' },
    });
    await expect(openContent(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(use(admin, upload)).rejects.toMatchObject({ code: 'not_found' });
    expect(spooled()).toEqual([]);
  });

  it('a used file stays, is not used again, and is removed by the job', async () => {
    const actor = await makeUser();
    const upload = await send(actor, 'words');
    bucket.trouble.refuses = ({ method }) => method === 'DELETE';
    expect(await use(actor, upload)).toBe('words');
    expect(inBucket(actor, upload)).toBe(true);
    await expect(use(actor, upload)).rejects.toMatchObject({ code: 'not_found' });
    bucket.trouble.refuses = () => false;
    await removeOrphans();
    expect(inBucket(actor, upload)).toBe(false);
  });
});

it('a file that no request used is removed after a day, and nothing else', async () => {
  for (const key of bucket.objects.keys()) if (key.startsWith('/content/uploads/')) bucket.objects.delete(key);
  const actor = await makeUser();
  for (let count = 0; count < 3; count += 1) await send(actor, 'words');
  const kept = ['/content/uploads/readme.txt', '/content/uploads/a/b', '/content/archive/2026'];
  for (const key of kept) bucket.objects.set(key, Buffer.from('x'));
  const uploads = () => [...bucket.objects.keys()].filter((key) => /uploads|archive/.test(key));
  // The time of all objects in the bucket of the tests.
  const modifiedAt = Date.parse('2026-02-03T04:05:06Z');
  expect(await contentStore().removeUnfinished(new Date(modifiedAt))).toEqual({ removed: 0, failed: 0 });
  bucket.trouble.refuses = ({ url }) => url?.includes('prefix=uploads') ?? false;
  expect(await contentStore().removeUnfinished(new Date(modifiedAt + 1))).toEqual({ removed: 0, failed: 1 });
  bucket.trouble.refuses = () => false;
  expect(await removeOrphans()).toMatchObject({ unfinished: 3, failed: 0 });
  expect(uploads().sort()).toEqual(kept.sort());
  expect(await db().$count(rateLimits, like(rateLimits.key, 'upload:%'))).toBeGreaterThan(0);
});

it('a file of a listed order or article is no upload', async () => {
  const pages = [];
  for await (const page of contentStore().list()) pages.push(...page);
  expect(pages.filter(({ key }) => key.startsWith('uploads/'))).toEqual([]);
  await expect(
    contentStore().put('uploads/x', { stream: Readable.from([]), sizeBytes: 0, sha256: '' }),
  ).rejects.toThrow();
});
