import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { rejectUnsupportedMethods } from '@/lib/platform/lifecycle/start-server-process';

let server: Server;
let port = 0;

beforeAll(async () => {
  rejectUnsupportedMethods();
  server = createServer((_request, response) => response.end('served')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = z.object({ port: z.number() }).parse(server.address()).port;
});

afterAll(() => {
  server.close();
});

async function send(method: string) {
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request({ port, method, agent: false }, resolve).once('error', reject).end();
  });
  answer.resume();
  return { status: answer.statusCode, allow: answer.headers.allow };
}

test.each(['TRACE', 'PROPFIND', 'SEARCH', 'M-SEARCH', 'QUERY'])('%s gets 405 with the Allow header', async (method) => {
  expect(await send(method)).toEqual({ status: 405, allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' });
});

test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s is passed to the server',
  async (method) => {
    expect((await send(method)).status).toBe(200);
  },
);
