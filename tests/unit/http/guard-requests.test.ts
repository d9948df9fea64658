import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { guardRequests } from '@/lib/platform/http/guard-requests';

let server: Server;
let port = 0;

/** Routes as Next.js matches them. */
const matchRoute = (path: string) =>
  [/^\/api\/(orders)$/, /^\/api\/orders\/([^/]+)\/[^/]+$/, /^\/api\/(health)$/].find((pattern) => pattern.test(path))
    ? path.replace(/^\/api\/orders\/[^/]+\/[^/]+$/, '/api/orders/[id]/[operation]')
    : null;

beforeAll(async () => {
  guardRequests(matchRoute);
  server = createServer((served, response) => {
    response.statusCode = served.method === 'DELETE' ? 405 : 200;
    if (served.headers.allow) response.setHeader('Allow', served.headers.allow);
    response.end(served.url);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = z.object({ port: z.number() }).parse(server.address()).port;
});

afterAll(() => {
  server.close();
});

async function send(method: string, path = '/', headers: Record<string, string> = {}) {
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request({ port, method, path, headers, agent: false }, resolve).once('error', reject).end();
  });
  return { status: answer.statusCode, allow: answer.headers.allow, body: await text(answer) };
}

const every = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

test.each(['TRACE', 'PROPFIND', 'SEARCH', 'M-SEARCH', 'QUERY'])('%s gets 405 with the Allow header', async (method) => {
  expect(await send(method)).toMatchObject({ status: 405, allow: every });
  expect(await send(method, '/api/orders?x=1')).toMatchObject({ status: 405, allow: 'GET, HEAD, OPTIONS, POST' });
});

test.each(every.split(', ').filter((method) => method !== 'DELETE'))('%s is passed to the server', async (method) => {
  expect(await send(method)).toMatchObject({ status: 200, allow: undefined });
});

test.each(['POST', 'DELETE', 'OPTIONS', 'TRACE'])('%s of a file gets 405', async (method) => {
  for (const path of ['/favicon.svg', '/_next/static/chunks/a.js?x=1'])
    expect(await send(method, path)).toMatchObject({ status: 405, allow: 'GET, HEAD' });
  expect(await send('HEAD', '/favicon.svg')).toMatchObject({ status: 200 });
});

describe('a response with status 405', () => {
  it.each([
    ['/api/orders', 'GET, HEAD, OPTIONS, POST'],
    ['/api/health', 'GET, HEAD, OPTIONS'],
    ['/api/orders/5/cancel', 'OPTIONS, POST'],
    ['/robots.txt', 'GET, HEAD, OPTIONS'],
    ['/api/orders/5/messages?before=1', 'GET, HEAD, OPTIONS, POST'],
    ['/api/orders/5/nothing', undefined],
    ['/api/nothing', undefined],
  ])('of %s allows the methods of the route', async (path, allow) => {
    expect(await send('DELETE', path)).toMatchObject({ status: 405, allow });
  });

  it('keeps an Allow header that it has', async () => {
    expect(await send('DELETE', '/api/orders', { allow: 'GET' })).toMatchObject({ status: 405, allow: 'GET' });
  });
});

describe('a path', () => {
  const isPassed = async (path: string) => (await send('GET', path)).body === path;

  it.each([
    ...[
      '*',
      '/%',
      '/api/orders/%',
      '/api/orders/%2',
      '/api/orders/%zz',
      '/api/%E0%A4%A',
      '/_next/static/%',
      '/user/50%/x',
    ],
    // Bytes that are not UTF-8: alone, too many for the character, a surrogate, beyond Unicode.
    ...['/%ff', '/api/%C0%AF', '/%E0%80%AF', '/%ED%A0%80', '/%F4%90%80%80', '/%C3', '/%C3/%A9'],
  ])('%s is malformed and answered by the fallback of the API', async (path) => {
    for (const given of [path, `${path}?q=1`]) expect((await send('GET', given)).body).toBe('/api/malformed-path');
  });

  it.each([
    '/',
    '/api/orders/%25',
    '/a%2Fb',
    '/%00',
    '/..%2f',
    '/%C3%A9',
    '/%F0%9F%98%80',
    '/x?q=%',
    '/x?q=%ff',
    '/a+b',
  ])('%s is passed on as it is', async (path) => {
    expect(await isPassed(path)).toBe(true);
  });

  it('is passed on if it was encoded, whatever its text', async () => {
    const encoded = fc.string({ unit: 'grapheme', maxLength: 40 }).map((name) => `/${encodeURIComponent(name)}`);
    await fc.assert(fc.asyncProperty(encoded, isPassed), { numRuns: 100 });
  });
});
