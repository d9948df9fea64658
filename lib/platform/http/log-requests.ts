import { subscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { buildFolder, env } from '@/lib/env';
import { getNetworkPrefix } from '@/lib/network/addresses';
import { log } from '@/lib/platform/log/log';
import { beginRequest, endRequest } from '@/lib/platform/log/open-requests';
import { observeRequest } from '@/lib/platform/metrics/process-metrics';
import { clientIp } from './client-ip';

/**
 * Assigns an id to every request, in its headers and in X-Request-Id of the response, and logs the request when it has
 * ended: id, method, route, status, milliseconds, user, API token and client address. `aborted` means that the client
 * closed the connection. Static files are skipped; health checks and scrapes are logged at level debug. Counts the request
 * for /api/metrics.
 * @param matchRoute see createRouteMatcher()
 */
export function logRequests(matchRoute: RouteMatcher): void {
  // Node.js publishes here before the request is handled ("Diagnostics Channel", HTTP).
  subscribe('http.server.request.start', (message) => {
    const { request, response } = Object(message);
    if (!(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) return;
    const [path = ''] = (request.url ?? '').split('?');
    if (path.startsWith('/_next/')) return;
    const requestId = beginRequest(response);
    const startedAt = performance.now();
    request.headers['x-request-id'] = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
      const route = nameOperation(matchRoute(path), path, response.statusCode);
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      const aborted = response.writableFinished ? undefined : true;
      const level = isRoutine(route) ? 'debug' : 'info';
      const actor = endRequest(requestId);
      observeRequest({
        method: request.method,
        route,
        status: response.statusCode,
        isAborted: aborted === true,
        seconds: ms / 1_000,
      });
      log()[level](
        {
          requestId,
          method: request.method,
          route,
          status: response.statusCode,
          aborted,
          ms,
          ...actor,
          ip: getLoggedAddress(request),
        },
        'request',
      );
    });
  });
}

/**
 * Returns the route with the word of joined routes. Requests for unknown words are answered with 404 or 405; without them
 * the number of routes stays bounded.
 */
const nameOperation = (route: string | null, path: string, status: number): string | null =>
  route === null || status === 404 || status === 405 ? route : withOperation(route, path);

/** Returns a route with the word of joined routes (lib/auth/route.ts), e.g. "/api/orders/[id]/cancel". */
export function withOperation(route: string, path: string): string {
  const index = route.split('/').indexOf('[operation]');
  return route.replace('[operation]', path.split('/')[index] ?? '');
}

/** Checks whether monitoring makes the request, every few seconds. */
const isRoutine = (route: string | null): boolean =>
  route !== null && (route.startsWith('/api/health') || route === '/api/metrics');

/**
 * Returns the client's address as LOG_ADDRESSES allows: in full, its network only (an IPv4 address without its last
 * byte, the first 64 bits of an IPv6 address), or not at all.
 * @returns undefined when logging of addresses is off or the address is unknown
 */
export function getLoggedAddress(request: { headers: NodeJS.Dict<string | string[]> }): string | undefined {
  const { LOG_ADDRESSES } = env();
  if (LOG_ADDRESSES === 'off') return undefined;
  const address = clientIp({ get: (name) => request.headers[name]?.toString() ?? null });
  if (address === '') return undefined;
  if (LOG_ADDRESSES === 'full') return address;
  return isIPv6(address) ? getNetworkPrefix(address) : address.replace(/\.\d+$/, '.0');
}

const manifestSchema = z.object({
  staticRoutes: z.array(z.object({ page: z.string() })),
  dynamicRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
});

/** Returns the route of a path, e.g. "/api/orders/[id]"; null when no route matches. */
export type RouteMatcher = (path: string) => string | null;

/**
 * Creates a function that returns the route of a path, e.g. "/api/orders/[id]", from the build's routes-manifest.json.
 * The path itself may contain personal data and is not logged. The function returns null when no route matches.
 * @returns null in a process without routes: on Vercel, the middleware runs in a function of its own
 */
export function createRouteMatcher(): RouteMatcher | null {
  const file = join(process.cwd(), buildFolder(), 'routes-manifest.json');
  if (!existsSync(file)) return null;
  const { staticRoutes, dynamicRoutes } = manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const fixed = new Set(staticRoutes.map(({ page }) => page));
  const patterns = dynamicRoutes.map(({ page, regex }) => ({ page, regex: new RegExp(regex) }));
  return (path) => (fixed.has(path) ? path : (patterns.find(({ regex }) => regex.test(path))?.page ?? null));
}
