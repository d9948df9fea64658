import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect } from 'vitest';

/**
 * Listens for TCP and UDP on one port, records what arrives, and never answers. In the place of an instance's publisher and
 * proxy, it keeps every message on the machine.
 */
export async function startSilentListener() {
  const visits: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (data) => {
      visits.push(data.toString('latin1').split('\r\n', 1).join());
      socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The listener has no port.');
  const names = createSocket('udp4').on('message', () => visits.push('a query for a name'));
  names.bind(address.port, '127.0.0.1');
  await once(names, 'listening');
  const close = () => {
    server.close();
    names.close();
  };
  return { port: address.port, visits, close };
}

/**
 * Lists what an instance connected to (recorded-connections.mjs), without its database and its mail provider, whose
 * addresses are in the environment.
 * @param log the file of CONNECTION_LOG
 */
export function listConnections(log: string): string[] {
  const own = [process.env.DATABASE_URL, process.env.RESEND_BASE_URL].map((url) => new URL(url ?? ''));
  const known = own.flatMap(({ hostname, port }) => [`tcp ${hostname}:${port}`, `dns ${hostname}`]);
  const all = readFileSync(log, 'utf8').trim().split('\n');
  expect(all, 'the database').toContain(known[0]);
  return [...new Set(all)].filter((line) => !known.includes(line)).sort();
}
