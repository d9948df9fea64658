import { subscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';

const served = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Answers 405 to methods that no address of the app has. Next.js makes a `Request` of what arrives, which the Fetch
 * standard forbids for TRACE (section 2.2.1, forbidden method), and would answer 500.
 */
export function refuseMethods(): void {
  const guarded = new WeakSet<Server>();
  // Next.js keeps its server to itself. The channel publishes each request before the server emits it.
  subscribe('http.server.request.start', (message) => {
    const { server } = Object(message);
    if (!(server instanceof Server) || guarded.has(server)) return;
    guarded.add(server);
    guard(server);
  });
}

function guard(server: Server): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (served.includes(request.method ?? '')) {
      for (const listener of listeners) listener.call(server, request, response);
      return;
    }
    response.writeHead(405, { Allow: served.join(', '), 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ error: `The method ${request.method} is not supported.` }));
  });
}
