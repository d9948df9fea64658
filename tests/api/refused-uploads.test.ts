import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@/app/api/openapi.json/paths';
import { isOpenToUsers } from '@/lib/access/account-roles';
import { newId } from '@/lib/ids';
import { acceptsDirectUpload } from '@/lib/platform/http/receive-file';
import { makeAccount } from '@/tests/factories/make-account';
import { appUrl, openClient } from '@/tests/setup/http-client';

/**
 * An upload that is rejected by its headers: the response is sent while the file is still received, and the connection
 * then serves the next request. Uses a raw socket, because an HTTP client closes a connection that responds so early.
 */
const uploads = Object.entries(paths).flatMap(([path, { POST }]) => {
  const upload = POST?.declaration.upload;
  if (!upload) return [];
  const maxBytes = upload.maxBytes * (upload.maxFiles ?? 1);
  const isDirect = acceptsDirectUpload(upload) && !upload.orJson;
  return [{ path: path.replace('[id]', '1'), access: POST.declaration.access, maxBytes, isDirect }];
});

const { host, hostname, port, origin } = new URL(appUrl);
/** More than the buffers of the connection and the server hold, so that the rest has to be read. */
const bodyBytes = 4_000_000;
const piece = Buffer.alloc(64 * 1024, 'a');

const callers = { admin: openClient(), seller: openClient(), buyer: openClient() };
beforeAll(async () => {
  await callers.admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
  await callers.seller.signIn('seller', (await makeAccount({ role: 'Seller' })).email);
  await callers.buyer.signIn('user', (await makeAccount()).email);
});

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** A connection to the app, and the status lines received on it. */
async function openConnection() {
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  open.push(socket);
  let heard = '';
  socket.on('data', (text: string) => {
    heard += text;
  });
  await once(socket, 'connect');
  const heads = () => [...heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  return { socket, heads, text: () => heard };
}

type Head = Record<string, string | number>;

function writeHead(socket: Socket, requestLine: string, head: Head = {}): void {
  const lines = Object.entries({ host, ...head }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${[`${requestLine} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
}

async function writeBody(socket: Socket, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; left -= piece.length) {
    if (!socket.write(piece.subarray(0, left))) await once(socket, 'drain');
  }
}

/** Sends headers and the first bytes of a file, and waits for the response. */
async function sendFirstBytes(path: string, head: Head, status: number) {
  const connection = await openConnection();
  writeHead(connection.socket, `POST ${path}`, { 'x-forwarded-for': callers.admin.address, origin, ...head });
  await writeBody(connection.socket, piece.length);
  await expect.poll(connection.heads, { timeout: 20_000 }).toEqual([status]);
  expect(connection.text()).toContain('application/json');
  return connection;
}

async function expectRefusal(path: string, head: Head, status: number, length = bodyBytes): Promise<void> {
  const { socket, heads } = await sendFirstBytes(path, { ...head, 'content-length': length }, status);
  await writeBody(socket, length - piece.length);
  writeHead(socket, 'GET /api/health/live');
  await expect.poll(heads, { timeout: 20_000 }).toEqual([status, 200]);
}

const form = { 'content-type': 'multipart/form-data; boundary=b' };

it('finds the endpoints with uploads', () => {
  expect(uploads.length).toBeGreaterThan(4);
});

const cookieFor = (access: (typeof uploads)[number]['access']) =>
  callers[access === 'seller' ? 'seller' : 'admin'].cookie();
const restricted = uploads.filter(({ access }) => !isOpenToUsers(access));
/** Sent completely; a larger declared size is only started. */
const small = uploads.filter(({ maxBytes }) => maxBytes <= 50_000_000);
const large = uploads.filter(({ maxBytes }) => maxBytes > 50_000_000);

describe('rejects an upload at once and keeps the connection usable', () => {
  it.each(uploads)('to $path without a session', async ({ path }) => {
    await expectRefusal(path, form, 401);
  });

  it.each(uploads)('to $path from another site', async ({ path, access }) => {
    await expectRefusal(path, { ...form, cookie: cookieFor(access), origin: 'https://evil.example.com' }, 403);
  });

  it.each(restricted)('to $path without the permission', async ({ path }) => {
    await expectRefusal(path, { ...form, cookie: callers.buyer.cookie() }, 403);
  });

  it.each(small)('to $path with a file that is too large', async ({ path, access, maxBytes }) => {
    const length = Math.max(bodyBytes, maxBytes + 100_000);
    await expectRefusal(path, { ...form, cookie: cookieFor(access) }, 413, length);
  });
});

it.each(uploads)('$path: a file in a bucket that does not exist is not found, or not accepted', async (upload) => {
  const { path, access, isDirect } = upload;
  const client = callers[access === 'seller' ? 'seller' : 'admin'];
  const sent = { upload: newId(), name: 'a.csv' };
  const answer = await client.post(path, { ...sent, uploads: [sent] });
  expect(answer.status, JSON.stringify(answer.body)).toBe(isDirect || path.includes('/messages') ? 404 : 400);
});

it.each(large)('rejects an upload to $path with an excess declared size before it is sent', async (upload) => {
  const { path, access, maxBytes } = upload;
  const head = { ...form, cookie: cookieFor(access), 'content-length': maxBytes + 100_000 };
  await sendFirstBytes(path, head, 413);
});
