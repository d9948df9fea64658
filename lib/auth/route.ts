import 'server-only';
import type { NextRequest } from 'next/server';
import type { Actor, ActorToken } from '@/lib/access/actor';
import { type Access, requireAccess, requireNotViewing } from '@/lib/access/authorize';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { requireSameOrigin } from '@/lib/platform/http/origin';
import { createRoute, isChange, type RouteContext, type RouteDeclaration } from '@/lib/platform/http/route';
import { getTokenScopes, malformedPath } from '@/lib/platform/http/route-metadata';
import type { JoinedHandler, Method, RouteHandler } from '@/lib/platform/openapi/document';
import { countChange } from '@/lib/platform/rate-limits/consume';
import { isTokenSecret } from './api-token-secret';
import { authenticateToken } from './authenticate-token';
import { bearerToken, findActor } from './current-actor';
import { requireRecentAuthentication } from './recent-authentication';
import { recordChange } from './record-change';
import { sessionCookieName } from './session-token';
import { requireTwoStep } from './two-step';

/** Declares a route handler that checks access against the database, and the origin of state-changing requests. */
export const route = createRoute<Actor, Access>(authorise, recordChange);

async function authorise(
  declared: RouteDeclaration<Access>,
  request: NextRequest,
  requestId: string,
  responseHeaders: Headers,
): Promise<{ actor: Actor | null; alongside: string | null }> {
  const { access, alongside, ignoresSession, recentAuthentication, beforeTwoStep, isBackground } = declared;
  const bearer = bearerToken(request.headers.get('authorization'));
  if (bearer === null) {
    const hasSessionCookie = !ignoresSession && request.cookies.has(sessionCookieName());
    const { method, headers } = request;
    requireSameOrigin({ method, headers, hasSessionCookie, ignoresSession, appUrl: env().APP_URL });
  }
  if (access === 'public') return { actor: null, alongside: null };
  const found =
    bearer !== null && isTokenSecret(bearer)
      ? await authenticateToken(bearer, { headers: request.headers, alongside, responseHeaders })
      : await findActor(request, { alongside, isBackground });
  if (found.actor?.token) requireScope(found.actor.token, { method: request.method, declared, responseHeaders });
  if (found.actor) requireNotViewing(found.actor);
  const actor = { ...requireAccess(found.actor, access), requestId };
  // What it reads after its change is newer than this.
  if (isChange(request)) actor.seen = undefined;
  if (!beforeTwoStep) requireTwoStep(actor);
  // The tokens of a user together, apart from the sessions: a program cannot keep its owner from revoking it.
  const account = actor.token ? `tokens:${actor.userId}` : actor.userId;
  if (isChange(request)) countChange(account);
  if (recentAuthentication) requireRecentAuthentication(actor);
  return { actor, alongside: found.alongside };
}

/** Responds to requests for unknown and malformed paths. */
export const unknownPath = route(
  { access: 'public', summary: 'Responds to requests for unknown paths.', errors: ['not_found', 'invalid_input'] },
  async ({ request }) => {
    if (request.nextUrl.pathname === malformedPath) {
      throw new AppError('invalid_input', 'The address is not encoded correctly. Write a percent sign as %25.');
    }
    throw new AppError('not_found', 'No endpoint exists at this path.');
  },
);

/**
 * Joins the routes of paths that differ in their last word, so that one file declares them: `[operation]/route.ts` serves
 * `accept`, `decline`, …
 * @param routes the handlers by word and method
 */
export function joinRoutes(
  routes: Readonly<Record<string, Partial<Record<Method, RouteHandler>>>>,
): Record<Method | 'OPTIONS', JoinedHandler> {
  const join = (method: Method | 'OPTIONS'): JoinedHandler => {
    const operations = Object.entries(routes).flatMap(([word, handlers]) => {
      const handler = method === 'OPTIONS' ? undefined : handlers[method];
      return handler ? [{ word, handler }] : [];
    });
    const answer = async (request: NextRequest, context: RouteContext): Promise<Response> => {
      const operation = String((await context.params).operation);
      const found = operations.find(({ word }) => word === operation);
      if (found) return found.handler(request, context);
      const known = Object.hasOwn(routes, operation) && routes[operation];
      if (!known) return unknownPath(request, context);
      // As Next.js responds for a route file with these methods.
      const Allow = [...Object.keys(known), ...('GET' in known ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');
      return new Response(null, { status: method === 'OPTIONS' ? 204 : 405, headers: { Allow } });
    };
    return Object.assign(answer, { operations });
  };
  return {
    GET: join('GET'),
    POST: join('POST'),
    PUT: join('PUT'),
    PATCH: join('PATCH'),
    DELETE: join('DELETE'),
    OPTIONS: join('OPTIONS'),
  };
}

/**
 * Requires that an API token has one of the scopes of the route (lib/platform/http/route-metadata.ts).
 * @throws AppError forbidden, naming the scope
 */
function requireScope(
  token: ActorToken,
  { method, declared, responseHeaders }: { method: string; declared: RouteDeclaration; responseHeaders: Headers },
): void {
  const scopes = getTokenScopes(method, declared) ?? [];
  if (scopes.some((scope) => token.scopes.includes(scope))) return;
  if (scopes.length === 0) {
    throw new AppError('forbidden', 'This request cannot be made with an API token. Sign in to the website.');
  }
  // RFC 6750, section 3.1.
  const missing = scopes.join(' or ');
  responseHeaders.set(
    'WWW-Authenticate',
    `Bearer realm="LinkMarket", error="insufficient_scope", scope="${scopes.join(' ')}"`,
  );
  throw new AppError('forbidden', `This API token lacks the scope ${missing}. Create a token that has it.`);
}
