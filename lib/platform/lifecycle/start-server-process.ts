import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, Server, type ServerResponse } from 'node:http';
import { endsByItself, env } from '../../env';
import { noteCaller } from '../http/client-ip';
import { captureConsole } from '../log/capture-console';
import { log } from '../log/log';
import { addressForLog, logRequests, routePatterns } from '../log/log-requests';
import { endInOrder } from './end-in-order';
import { watchDatabase } from './watch-database';

/**
 * Prepares a process that serves the app, once, before its first request.
 * @param startJobs starts the background jobs and returns what stops them; not called where JOBS is off
 */
export function startServerProcess(startJobs: () => () => void): void {
  // next-auth derives its own addresses and the security of its cookies from this variable, and reads it by itself.
  process.env.NEXTAUTH_URL ??= env().APP_URL;
  // First, as the log names the caller too.
  noteCallers();
  // While developing, Next.js prints the requests itself, and for the eye.
  if (process.env.NODE_ENV === 'production') {
    captureConsole();
    logRequests(routePatterns());
  }
  refuseMethods();
  watchDatabase();
  const stopJobs = env().JOBS === 'on' ? startJobs() : () => undefined;
  if (endsByItself()) endInOrder(stopJobs);
}

/** Enough to name a proxy among scanners; bounded, as any caller can cause a line. */
const maxLogged = 50;

/**
 * Decides for every request that reaches this process whose it is, from the connection it arrives by: Next.js shows its
 * handlers no connection. Forwarding headers from an address outside TRUSTED_PROXIES are removed. The first of each of
 * some addresses are logged, because one may be a proxy that the setting lacks.
 */
function noteCallers(): void {
  const logged = new Set<string>();
  subscribe('http.server.request.start', (message) => {
    const { request } = Object(message);
    if (!(request instanceof IncomingMessage)) return;
    const peer = request.socket.remoteAddress ?? '';
    const isRemoved = noteCaller(request.headers, peer);
    if (!isRemoved || logged.has(peer) || logged.size === maxLogged) return;
    logged.add(peer);
    log().warn(
      { ip: addressForLog(request) },
      'Forwarding headers were ignored: the caller is not in TRUSTED_PROXIES. If it is a proxy of yours, add its address.',
    );
  });
}

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
