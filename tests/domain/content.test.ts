import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orderContents } from '@/db/schema/orders';
import { attachContent, openContent } from '@/lib/orders/deliverables/content';
import { maxContentBytes } from '@/lib/orders/deliverables/store-file';
import { getTimeline } from '@/lib/orders/notices/timeline';
import { deleteOrder } from '@/lib/orders/order/delete';
import { getOrder } from '@/lib/orders/order/queries';
import { attachmentResponse, contentDisposition } from '@/lib/platform/http/attachment-response';
import { safeFileName } from '@/lib/platform/storage/safe-file-name';
import { fileOf, zipOf } from '@/tests/factories/file-of';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';

// An own folder for temporary files, to check that none is left.
const temporary = mkdtempSync(join(tmpdir(), 'linkmarket-spool-'));
process.env.TMPDIR = temporary;
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
const spooled = () => readdirSync(temporary);
const stored = (orderId: number) => {
  const folder = join(process.env.DATA_DIR ?? '', 'content', 'orders', String(orderId));
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

describe('delivering content', () => {
  it('stores bytes, hash and name, and returns them as an attachment', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(1_000);
    const article = '# Spades\n\nDig “deeper” – ü, 字, 🌱\n';
    const kept = await attachContent(admin, id, Readable.from([Buffer.from(article)]), 'Gärten & “Spaten”.md');
    expect(kept).toEqual({
      fileName: 'Gärten & “Spaten”.md',
      mediaType: 'text/markdown; charset=utf-8',
      sizeBytes: Buffer.byteLength(article),
      sha256: createHash('sha256').update(article).digest('hex'),
    });
    const order = await getOrder(buyer, id);
    expect(order.contentFileName).toBe('Gärten & “Spaten”.md');

    const response = attachmentResponse(await openContent(id), 'GET');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'content-length': String(Buffer.byteLength(article)),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="Garten & _Spaten_.md"; filename*=UTF-8''G%C3%A4rten%20%26%20%E2%80%9CSpaten%E2%80%9D.md`,
    });
    expect(await response.text()).toBe(article);
  });

  it('replaces the earlier content and keeps it in the history', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(1_000);
    await attachContent(admin, id, fileOf('pdf'), 'first.pdf');
    await attachContent(admin, id, fileOf('png'), 'second.png');
    const rows = await db().select().from(orderContents).where(eq(orderContents.orderId, id));
    expect(rows.map((row) => [row.fileName, row.replacedAt === null]).sort()).toEqual([
      ['first.pdf', false],
      ['second.png', true],
    ]);
    const inForce = await openContent(id);
    inForce.stream.destroy();
    expect(inForce.fileName).toBe('second.png');
    expect((await getTimeline({ id, accountId: buyer.userId }, 'buyer')).flatMap((entry) => entry.texts)).toEqual([
      'Ordered, $10.00 paid from the wallet',
      'Content delivered: first.pdf',
      'Content replaced: second.png',
    ]);
  });

  it('leaves exactly one current content after concurrent uploads', async () => {
    const admin = await makeUser('Admin');
    const { id } = await makeOrder(1_000);
    await Promise.all(Array.from({ length: 6 }, (_, n) => attachContent(admin, id, fileOf('pdf'), `${n}.pdf`)));
    const rows = await db().select().from(orderContents).where(eq(orderContents.orderId, id));
    expect(rows).toHaveLength(6);
    expect(rows.filter((row) => row.replacedAt === null)).toHaveLength(1);
  });

  it('accepts 25 MB, and rejects one more byte while it is received', async () => {
    const admin = await makeUser('Admin');
    const { id } = await makeOrder(1_000);
    const bytesOf = (count: number) => {
      let sent = 0;
      const stream = new Readable({
        read() {
          const size = Math.min(64 * 1024, count - sent);
          sent += size;
          this.push(size > 0 ? Buffer.alloc(size, 'a') : null);
        },
      });
      return { stream, sent: () => sent };
    };
    const whole = await attachContent(admin, id, bytesOf(maxContentBytes).stream, 'whole.txt');
    expect(whole.sizeBytes).toBe(25_000_000);
    const endless = bytesOf(10 * maxContentBytes);
    await expect(attachContent(admin, id, endless.stream, 'endless.txt')).rejects.toMatchObject({
      code: 'too_large',
      message: 'The file is larger than 25 MB.',
    });
    expect(endless.stream.destroyed).toBe(true);
    expect(endless.sent()).toBeLessThan(maxContentBytes + 1_000_000);
    expect(stored(id)).toHaveLength(1);
    expect(spooled()).toEqual([]);
  });

  it('keeps nothing of an aborted upload', async () => {
    const { id } = await makeOrder(1_000);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('%PDF-1.7\n');
        throw new Error('connection lost');
      })(),
    );
    await expect(attachContent(await makeUser('Admin'), id, broken, 'a.pdf')).rejects.toThrow('connection lost');
    expect(stored(id)).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  it('rejects an unknown or deleted order', async () => {
    const admin = await makeUser('Admin');
    const { id } = await makeOrder(1_000);
    await deleteOrder(admin, id);
    for (const gone of [id, 2_000_000_000]) {
      await expect(attachContent(admin, gone, fileOf('pdf'), 'a.pdf')).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(openContent(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the accepted file types', () => {
  it.each([
    ['pdf', 'a.PDF', 'application/pdf'],
    ['png', 'a.png', 'image/png'],
    ['jpg', 'a.jpeg', 'image/jpeg'],
    ['gif', 'a.gif', 'image/gif'],
    ['webp', 'a.webp', 'image/webp'],
    ['zip', 'a.zip', 'application/zip'],
    ['docx', 'a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['xlsx', 'a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['odt', 'a.odt', 'application/vnd.oasis.opendocument.text'],
    ['doc', 'a.doc', 'application/msword'],
    ['text', 'a.txt', 'text/plain; charset=utf-8'],
    ['text', 'a.csv', 'text/csv; charset=utf-8'],
    ['html', 'a.html', 'text/plain; charset=utf-8'],
  ] as const)('accept %s as %s', async (kind, name, mediaType) => {
    const { id } = await makeOrder(1_000);
    expect(await attachContent(await makeUser('Admin'), id, fileOf(kind), name)).toMatchObject({ mediaType });
  });

  it.each([
    ['a Windows program called a PDF', fileOf('exe'), 'offer.pdf', /cannot be uploaded/],
    ['a Windows program called a text', fileOf('exe'), 'offer.txt', /plain text/],
    ['a Linux program called an image', fileOf('elf'), 'photo.png', /cannot be uploaded/],
    ['an installer in the old Office container', fileOf('msi'), 'offer.doc', /cannot be uploaded/],
    ['a Java archive called a zip', fileOf('jar'), 'offer.zip', /cannot be uploaded/],
    ['a Word file with macros', fileOf('docm'), 'offer.docx', /cannot be uploaded/],
    ['a PDF called a program', fileOf('pdf'), 'offer.exe', /Rename it to end in \.pdf/],
    ['a PDF with a reversed extension', fileOf('pdf'), 'offer\u202Efdp.exe', /\.exe/],
    ['a PDF without an extension', fileOf('pdf'), 'offer', /no extension/],
    ['a script', Readable.from([Buffer.from('#!/bin/sh\nrm -rf /\n')]), 'run.sh', /cannot be uploaded/],
    [
      'an image that can contain scripts',
      Readable.from([Buffer.from('<svg xmlns="x"/>')]),
      'a.svg',
      /cannot be uploaded/,
    ],
    ['random bytes', Readable.from([randomBytes(500)]), 'a.md', /plain text/],
    ['text called a PDF', Readable.from([Buffer.from('words')]), 'fake.PDF', /ends in \.pdf, but the content is not/],
  ])('reject %s', async (_what, file, name, message) => {
    const { id } = await makeOrder(1_000);
    await expect(attachContent(await makeUser('Admin'), id, file, name)).rejects.toMatchObject({
      code: 'unsupported_type',
      message: expect.stringMatching(message),
    });
    expect(stored(id)).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  it('reject an empty file', async () => {
    const { id } = await makeOrder(1_000);
    await expect(attachContent(await makeUser('Admin'), id, Readable.from([]), 'a.txt')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'The file is empty.',
    });
  });

  it('read only the necessary part of a zip', async () => {
    const { id } = await makeOrder(1_000);
    const bomb = zipOf([{ name: 'a.txt', content: Buffer.alloc(20_000_000) }]);
    const kept = await attachContent(await makeUser('Admin'), id, Readable.from([bomb]), 'bomb.zip');
    expect(kept.mediaType).toBe('application/zip');
  });
});

describe('file names', () => {
  it.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Users\\me\\Offer.docx', 'Offer.docx'],
    ['offer\u202Excod.exe', 'offerxcod.exe'],
    ['a\r\nSet-Cookie: x=1\r\n.pdf', 'a Set-Cookie: x=1.pdf'],
    ['he said "hi".pdf', 'he said "hi".pdf'],
    ['👩‍👩‍👧 日本語 عربى.pdf', '👩‍👩‍👧 日本語 عربى.pdf'],
    ['.htaccess.txt', 'htaccess.txt'],
    ['...', 'content'],
    ['', 'content'],
    ['a\u0000b\u200B.pdf', 'ab.pdf'],
    ['broken\uD800.pdf', 'broken.pdf'],
    [`${'字'.repeat(300)}.pdf`, `${'字'.repeat(65)}.pdf`],
  ])('%j is stored as %j', (given, kept) => {
    expect(safeFileName(given)).toBe(kept);
  });

  it.each(['a"b.pdf', 'a\r\nX: y.pdf', '👩‍👩‍👧.pdf', 'ünï.pdf', "it's (1)*.pdf", '%41.pdf', 'a\\b.pdf'])(
    'a header contains %j',
    (name) => {
      const header = contentDisposition(name);
      expect(new Headers({ 'content-disposition': header }).get('content-disposition')).toBe(header);
      const whole = /filename\*=UTF-8''([\w%.~!#$&+^`|-]+)$/.exec(header)?.[1];
      expect(decodeURIComponent(whole ?? '')).toBe(name);
      expect(header).toMatch(/^attachment; filename="[^"\\%]+"; /);
    },
  );
});

it("reads a stored file only by a key of the app's own format", async () => {
  const { contentStore } = await import('@/lib/platform/storage/store');
  await expect(contentStore().get('../secrets.json')).rejects.toMatchObject({ code: 'not_found' });
  await expect(contentStore().get('orders/1/0123456789abcdefghijklmnop')).rejects.toMatchObject({ code: 'not_found' });
  const stream = Readable.from(['x']);
  await expect(contentStore().put('/etc/x', { stream, sizeBytes: 1, sha256: '' })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await text(stream)).toBe('x');
});
