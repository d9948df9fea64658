import { subscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { type RouteMatcher, withOperation } from './log-requests';
import { malformedPath } from './route-metadata';
import routeMethods from './route-methods.json';

const supportedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Files, which Next.js sends itself. */
const fileMethods = ['GET', 'HEAD'];
const filePattern = /^\/(?:_next\/static\/.|favicon\.svg$)/;
/** Files that app/robots.ts and app/sitemap.ts write. */
const generatedFiles = /^\/(?:robots\.txt|sitemap\.xml)$/;

/**
 * Corrects how Next.js answers requests that no route can handle:
 * - It creates a `Request`, which the Fetch standard forbids for TRACE (section 2.2.1, forbidden method), and would
 *   answer 500. Methods that the app does not support get 405.
 * - Its 405 lacks `Allow` (RFC 9110, section 15.5.6).
 * - It throws a URIError for a path whose percent-encoding is not UTF-8, and would answer 500 in some places. It also
 *   answers 500 to `*`, and to another method than GET and HEAD for a file.
 * @param matchRoute null without a build, e.g. in development
 */
export function guardRequests(matchRoute: RouteMatcher | null): void {
  const guarded = new WeakSet<Server>();
  // Next.js does not expose its server. The channel publishes each request before the server emits it.
  subscribe('http.server.request.start', (message) => {
    const { server } = Object(message);
    if (!(server instanceof Server) || guarded.has(server)) return;
    guarded.add(server);
    guardServer(server, matchRoute ?? (() => null));
  });
}

function guardServer(server: Server, matchRoute: RouteMatcher): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const [path = ''] = (request.url ?? '').split('?');
    const allowed = () => findAllowedMethods(path, matchRoute);
    const malformed = isMalformed(path);
    const methods = filePattern.test(path) && !malformed ? fileMethods : supportedMethods;
    if (!methods.includes(request.method ?? '')) {
      const Allow = allowed() ?? methods.join(', ');
      response.writeHead(405, { Allow, 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' });
      response.end(JSON.stringify({ error: `The method ${request.method} is not supported.` }));
      return;
    }
    if (malformed) request.url = malformedPath;
    else addAllow(response, allowed);
    for (const listener of listeners) listener.call(server, request, response);
  });
}

/** Adds `Allow` to a response with status 405 that lacks it. */
function addAllow(response: ServerResponse, allowed: () => string | undefined): void {
  const { writeHead } = response;
  Object.assign(response, {
    writeHead(...args: unknown[]): unknown {
      const methods = args[0] === 405 && !response.hasHeader('Allow') ? allowed() : undefined;
      if (methods !== undefined) response.setHeader('Allow', methods);
      return Reflect.apply(writeHead, response, args);
    },
  });
}

const allowByRoute = new Map(Object.entries(routeMethods));

function findAllowedMethods(path: string, matchRoute: RouteMatcher): string | undefined {
  if (generatedFiles.test(path)) return 'GET, HEAD, OPTIONS';
  const route = matchRoute(path);
  return route === null ? undefined : allowByRoute.get(withOperation(route, path));
}

/** Checks whether a path has a percent sign without two hexadecimal digits, or bytes that are not UTF-8, or is `*`. */
function isMalformed(path: string): boolean {
  if (path === '*') return true;
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}
