import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { newId } from '@/lib/ids';
import { attachContent, openContent } from '@/lib/orders/deliverables/content';
import { maxContentBytes } from '@/lib/orders/deliverables/store-file';
import { receiveFile } from '@/lib/platform/http/receive-file';
import { toWebStream } from '@/lib/platform/http/web-stream';
import { createDirectUpload } from '@/lib/platform/storage/direct-uploads';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';

const address = 'http://localhost/api/admin/orders/1/content';
const upload = async (request: Request, orderId: number) => {
  const admin = await makeUser('Admin');
  return receiveFile(request, { field: 'file', maxBytes: maxContentBytes, userId: admin.userId }, (file, name) =>
    attachContent(admin, orderId, file, name),
  );
};
const formRequest = (form: FormData) => new Request(address, { method: 'POST', body: form });
/** A raw form body, sent in chunks and without a length. */
const rawRequest = (pieces: Iterable<string> | AsyncIterable<Buffer>) => {
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=cut' },
    body: toWebStream(Readable.from(pieces, { objectMode: false })),
    duplex: 'half',
  };
  return new Request(address, init);
};
const head = (name: string) => `--cut\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
// An own folder for temporary files, to check that none is left.
const temporary = mkdtempSync(join(tmpdir(), 'linkmarket-spool-'));
process.env.TMPDIR = temporary;
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
const spooled = () => readdirSync(temporary);

it.each([
  ['plain.txt', 'plain.txt'],
  ['Ünïcødé 字 👩‍👩‍👧.txt', 'Ünïcødé 字 👩‍👩‍👧.txt'],
  ['he said "hi".txt', 'he said "hi".txt'],
  ['two\r\nlines.txt', 'two lines.txt'],
  ['turned\u202Etxt.txt', 'turnedtxt.txt'],
  ['../../up.txt', 'up.txt'],
])('accepts a form with a file named %j', async (name, kept) => {
  const { id } = await makeOrder(1_000);
  const form = new FormData();
  form.append('note', 'passed over');
  form.append('file', new File(['words '.repeat(50_000)], name));
  expect(await upload(formRequest(form), id)).toMatchObject({ fileName: kept, sizeBytes: 300_000 });
  const content = await openContent(id);
  expect((await buffer(content.stream)).toString()).toBe('words '.repeat(50_000));
});

it('requires a file in the form', async () => {
  const form = new FormData();
  form.append('other', new File(['x'], 'x.txt'));
  for (const request of [formRequest(form), new Request(address, { method: 'POST', body: '{}' })]) {
    await expect(upload(request, 1)).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'Choose a file to upload.',
    });
  }
});

it('rejects a declared excess size unread, and an undeclared one while reading', async () => {
  const { id } = await makeOrder(1_000);
  const said = new Request(address, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=cut', 'Content-Length': '26000000' },
    body: 'x',
  });
  await expect(upload(said, id)).rejects.toMatchObject({ code: 'too_large' });
  let sent = 0;
  const endless = rawRequest(
    (async function* () {
      yield Buffer.from(head('endless.txt'));
      for (;;) {
        sent += 65_536;
        yield Buffer.alloc(65_536, 'a');
      }
    })(),
  );
  await expect(upload(endless, id)).rejects.toMatchObject({ code: 'too_large' });
  expect(sent).toBeLessThan(maxContentBytes + 2_000_000);
  expect(spooled()).toEqual([]);
});

it('reads a rejected form to its end, so that the connection stays usable', async () => {
  let isAllSent = false;
  const long = rawRequest(
    (async function* () {
      yield Buffer.from(head('refused.txt'));
      for (let sent = 0; sent < 2_000_000; sent += 65_536) yield Buffer.alloc(65_536, 'a');
      isAllSent = true;
    })(),
  );
  await expect(upload(long, 999_999_999)).rejects.toMatchObject({ code: 'not_found' });
  await expect.poll(() => isAllSent).toBe(true);
});

it('keeps nothing of a truncated or aborted form', async () => {
  const { id } = await makeOrder(1_000);
  await expect(upload(rawRequest([`${head('cut.txt')}half of i`]), id)).rejects.toMatchObject({
    code: 'invalid_input',
  });
  const lost = rawRequest(
    (async function* () {
      yield Buffer.from(`${head('lost.txt')}half of i`);
      throw new Error('connection lost');
    })(),
  );
  await expect(upload(lost, id)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(spooled()).toEqual([]);
  await expect(openContent(id)).rejects.toMatchObject({ code: 'not_found' });
});

it('accepts no file by its id, and creates no form, without a bucket', async () => {
  const admin = await makeUser('Admin');
  await expect(createDirectUpload(admin.userId, 5, false)).rejects.toMatchObject({ code: 'not_configured' });
  const { id } = await makeOrder(1_000);
  const request = (body: unknown) =>
    new Request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
    });
  await expect(upload(request({ upload: newId(), name: 'a.txt' }), id)).rejects.toMatchObject({ code: 'not_found' });
  for (const body of [{}, [], null, { upload: 5, name: 'a.txt' }, { upload: newId() }])
    await expect(upload(request(body), id)).rejects.toMatchObject({ code: 'invalid_input' });
});

it('accepts a small file, such as a private key, only in a form', async () => {
  const request = new Request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ upload: newId(), name: 'key.pem' }),
  });
  const { userId } = await makeUser('Admin');
  await expect(
    receiveFile(request, { field: 'private_key', maxBytes: 20_000, userId }, () => Promise.reject(new Error('read'))),
  ).rejects.toMatchObject({ code: 'invalid_input', details: { fields: { private_key: 'Choose a file to upload.' } } });
});
