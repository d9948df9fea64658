import { once } from 'node:events';
import { createServer } from 'node:http';

/** `visits` tells who came. */
export type Lure = { url: string; visits: readonly string[]; close: () => void };

/**
 * Listens on an address of this machine that nothing knows but what a test sends: a server that fetched an address
 * somebody typed would come here.
 */
export async function openLure(): Promise<Lure> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`);
    response.end('<title>Internal</title>');
  });
  // What is no HTTP, e.g. the beginning of TLS, is a visit as well.
  server.on('connection', () => visits.push('a connection'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address !== 'object') throw new Error('The lure has no port.');
  return { url: `http://127.0.0.1:${address.port}/`, visits, close: () => server.close() };
}
