import type { Reply } from './reply';
import type { GatewayRequest } from './request';

export type Handler = (request: GatewayRequest) => Reply | Promise<Reply>;

/** An address and what answers it: `['POST', '/controls/stripe/sessions/:id/pay', handler]`. */
export type Route = readonly [method: string, pattern: string, handler: Handler];

/** The first route that fits, with the named parts of its path; undefined when none does. */
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
  const given = pathname.split('/');
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = given[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return undefined;
      continue;
    }
    if (value === '') return undefined;
    params[part.slice(1)] = decoded(value);
  }
  return params;
}

/** A part of a path as it was meant; one that is not well encoded is taken as it stands. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
