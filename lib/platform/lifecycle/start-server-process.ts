import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, Server, type ServerResponse } from 'node:http';
import { env, handlesShutdownSignals } from '@/lib/env';
import { setClientIp } from '@/lib/platform/http/client-ip';
import { createRouteMatcher, getLoggedAddress, logRequests } from '@/lib/platform/http/log-requests';
import { captureConsole } from '@/lib/platform/log/capture-console';
import { log } from '@/lib/platform/log/log';
import { startProcessMetrics } from '@/lib/platform/metrics/process-metrics';
import { registerGracefulShutdown } from './graceful-shutdown';
import { watchDatabase } from './watch-database';

/**
 * Prepares a process that serves the app, once, before its first request.
 * @param startJobs starts the background jobs and returns a function that stops them; not called when JOBS is off
 * @param sendTraces sends the traces that are left, at the shutdown
 */
export function startServerProcess(startJobs: () => () => void, sendTraces: () => Promise<void>): void {
  // next-auth reads this variable for its URLs and the security of its cookies.
  process.env.NEXTAUTH_URL ??= env().APP_URL;
  // First, because the request log contains the client's address.
  resolveClientIps();
  startProcessMetrics();
  // In development Next.js prints the requests.
  if (process.env.NODE_ENV === 'production') {
    captureConsole();
    const matchRoute = createRouteMatcher();
    if (matchRoute) logRequests(matchRoute);
  }
  rejectUnsupportedMethods();
  watchDatabase();
  const stopJobs = env().JOBS === 'on' ? startJobs() : () => undefined;
  if (handlesShutdownSignals()) registerGracefulShutdown(stopJobs, sendTraces);
}

/** Enough to find a proxy among scanners; bounded, because any client can cause an entry. */
const maxLogged = 50;

/**
 * Resolves the client's address of every request from its connection, which Next.js does not expose to handlers.
 * Forwarding headers from an address outside TRUSTED_PROXIES are removed. The first such request of an address is
 * logged, because it may come from a proxy that is missing in the setting.
 */
function resolveClientIps(): void {
  const logged = new Set<string>();
  subscribe('http.server.request.start', (message) => {
    const { request } = Object(message);
    if (!(request instanceof IncomingMessage)) return;
    const peer = request.socket.remoteAddress ?? '';
    const isRemoved = setClientIp(request.headers, peer);
    if (!isRemoved || logged.has(peer) || logged.size === maxLogged) return;
    logged.add(peer);
    log().warn(
      { ip: getLoggedAddress(request) },
      'Forwarding headers were ignored: the client is not in TRUSTED_PROXIES. If it is your proxy, add its address.',
    );
  });
}

const allowedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Answers 405 to methods that the app does not support. Next.js creates a `Request`, which the Fetch standard forbids
 * for TRACE (section 2.2.1, forbidden method), and would answer 500.
 */
export function rejectUnsupportedMethods(): void {
  const guarded = new WeakSet<Server>();
  // Next.js does not expose its server. The channel publishes each request before the server emits it.
  subscribe('http.server.request.start', (message) => {
    const { server } = Object(message);
    if (!(server instanceof Server) || guarded.has(server)) return;
    guarded.add(server);
    rejectMethodsOf(server);
  });
}

function rejectMethodsOf(server: Server): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (allowedMethods.includes(request.method ?? '')) {
      for (const listener of listeners) listener.call(server, request, response);
      return;
    }
    response.writeHead(405, { Allow: allowedMethods.join(', '), 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ error: `The method ${request.method} is not supported.` }));
  });
}
