import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { rotatingThird } from '@/scripts/testing/tier';
import { makeUser } from '@/tests/factories/make-user';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { sendBody } from '@/tests/setup/send-body';
import { examplePath, type Route, routes } from './routes';

type Body = [name: string, body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>];

/** Bodies that an endpoint may parse in its own way: every endpoint gets some of them. */
const everywhere: Body[] = [
  ['cut off', '{"name":"a'],
  ['a list', '[]'],
  ['null', 'null'],
  ['numbers without end', '{"amount":1e999,"quantity":1e999,"version":1e999,"price":1e999}'],
  ['a field nested deeply', `{"name":${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}}`],
  ['half of a character', '{"name":"\\ud800","\\udc00":1}'],
  ['the keys of prototypes', '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}'],
  ['a form cut off', '--b\r\nContent-Disp', { 'content-type': 'multipart/form-data; boundary=b' }],
  ['another type', '<a/>', { 'content-type': 'application/xml' }],
];

/** Bodies that shared parsing code rejects, so only two endpoints of each kind get these, and all of the others. */
const readers: Body[] = [
  ['no JSON', 'name=a&password=b'],
  ['two values', '{}{}'],
  ['a text', '"text"'],
  ['a number', '5'],
  ['no number', '{"amount":NaN}'],
  ['nested deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['2 MB', JSON.stringify({ name: 'a'.repeat(2_000_000) })],
  ['many fields', JSON.stringify(Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [`f${i}`, i])))],
  ['no UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0xc0, 0x80, 0x7d])],
  ['NUL bytes', new Uint8Array(64)],
  ['a field named with NUL', '{"na\\u0000me":"a"}'],
  ['a prototype that is a list', '{"__proto__":[],"length":1e9,"then":"x"}'],
  ['a form', 'name=a&__proto__[polluted]=yes', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a form without a boundary', 'name=a', { 'content-type': 'multipart/form-data' }],
  ['a form with an empty boundary', 'name=a', { 'content-type': 'multipart/form-data; boundary=' }],
  ['a form with a quoted empty boundary', 'name=a', { 'content-type': 'multipart/form-data; boundary=""' }],
  [
    'a form whose field is the prototype',
    '--b\r\nContent-Disposition: form-data; name="__proto__"; filename="__proto__"\r\n\r\nx\r\n--b--\r\n',
    { 'content-type': 'multipart/form-data; boundary=b' },
  ],
  ['a type that is none', '{}', { 'content-type': 'x'.repeat(500) }],
  ['said to be compressed', '{}', { 'content-encoding': 'gzip' }],
];

let admin = openClient();
let seller = openClient();

beforeAll(async () => {
  [admin, seller] = await Promise.all([
    openSession((await makeUser('Admin')).userId),
    openSession((await makeUser('Seller')).userId),
  ]);
});

const changes = routes.filter(({ method }) => method !== 'GET');

/** An admitted caller, and an unknown record. */
function target({ path, access }: Route) {
  const concrete = examplePath(path.replace('[...nextauth]', 'callback/credentials'));
  // A sign-out would end the session that the other tests need.
  if (path.endsWith('/logout')) return { client: openClient(), concrete };
  return { client: access === 'seller' ? seller : admin, concrete };
}

/** How the endpoint's body is read: upload, JSON, none, or the endpoint's own code. */
function readerOf({ method, path, body, upload }: Route): string {
  if (body.length > 0) return 'JSON';
  if (upload) return 'upload';
  return method === 'DELETE' ? 'none' : path;
}

const isOneOfTwo = (address: Route) =>
  changes
    .filter((other) => readerOf(other) === readerOf(address))
    .slice(0, 2)
    .includes(address);

function bodiesFor(address: Route, index: number): Body[] {
  if (isOneOfTwo(address)) return [...everywhere, ...rotatingThird(readers, index)];
  return rotatingThird(everywhere, index);
}

it.each(changes.map((address, index) => ({ ...address, index })))(
  '$method $path rejects broken bodies with a reason, and never with a server error',
  async (address) => {
    const { client, concrete } = target(address);
    // WeChat Pay has its own error format, and next-auth's client reads `url`.
    const reason = address.path.includes('wechat/webhook') ? 'message' : 'error';
    const complaints = await Promise.all(
      bodiesFor(address, address.index).map(async ([name, body, headers]) => {
        const answer = await sendBody(client, concrete, body, { method: address.method, headers });
        // Client reports and approvals answer with a page.
        const isPage = /^\/(reports|approve)\//.test(address.path) && String(answer.body).includes('<h1>');
        const isRejected = answer.status < 500 && (isPage || typeof Object(answer.body)[reason] === 'string');
        return answer.status < 400 || isRejected ? [] : [`${name}: ${answer.status} ${JSON.stringify(answer.body)}`];
      }),
    );
    expect(complaints.flat()).toEqual([]);
  },
);

it.each(rotatingThird(changes))('$method $path responds to an endless body of undeclared length', async (address) => {
  const { client, concrete } = target(address);
  expect(await sendWithoutEnd(address.method, concrete, client.cookie())).toMatch(/^HTTP\/1\.1 [2-4]\d\d /);
});

it('leaves the prototypes of the server unchanged', async () => {
  const { body } = await admin.get('/api/user/auth/me');
  expect(JSON.stringify(body)).not.toContain('polluted');
});

/** Sends chunks without a final one until the response begins, at most 64 MB. @returns its status line */
async function sendWithoutEnd(method: string, path: string, cookie: string): Promise<string> {
  const { hostname, port, host, origin } = new URL(appUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const chunk = `${(64 * 1024).toString(16)}\r\n${'a'.repeat(64 * 1024)}\r\n`;
  const type = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n';
  const response = once(socket, 'data', { signal: AbortSignal.timeout(15_000) });
  socket.on('error', () => undefined);
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\ncookie: ${cookie}\r\n${type}\r\n`);
  let left = 1_024;
  const send = () => {
    while (left-- > 0 && socket.writable && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
  const [first] = await response;
  socket.destroy();
  return String(first).split('\r\n')[0] ?? '';
}
