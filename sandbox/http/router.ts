import type { Reply } from './reply';
import type { GatewayRequest } from './request';

export type Handler = (request: GatewayRequest) => Reply | Promise<Reply>;

/** A route and its handler: `['POST', '/controls/stripe/sessions/:id/pay', handler]`. */
export type Route = readonly [method: string, pattern: string, handler: Handler];

/** Returns the first matching route with its path parameters, or undefined. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  pathname: string,
): { handler: Handler; params: Record<string, string> } | undefined {
  for (const [routeMethod, pattern, handler] of routes) {
    if (routeMethod !== method) continue;
    const params = matchPath(pattern, pathname);
    if (params) return { handler, params };
  }
  return undefined;
}

function matchPath(pattern: string, pathname: string): Record<string, string> | undefined {
  const expected = pattern.split('/');
  const input = pathname.split('/');
  if (expected.length !== input.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = input[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return undefined;
      continue;
    }
    if (value === '') return undefined;
    params[part.slice(1)] = decodeSegment(value);
  }
  return params;
}

/** Decodes a path segment; returns it unchanged when its encoding is invalid. */
function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
