import { once } from 'node:events';
import { createServer } from 'node:http';

/** `visits` lists the connections. */
export type DecoyServer = { url: string; visits: readonly string[]; close: () => void };

/**
 * Listens on a local address that only the test uses. A server that fetched a URL entered by a user would connect to
 * it.
 */
export async function startDecoyServer(): Promise<DecoyServer> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`);
    response.end('<title>Internal</title>');
  });
  // Counts connections that are not HTTP, e.g. TLS.
  server.on('connection', () => visits.push('a connection'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address !== 'object') throw new Error('The lure has no port.');
  return { url: `http://127.0.0.1:${address.port}/`, visits, close: () => server.close() };
}
