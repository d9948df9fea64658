import 'server-only';
import type { NextRequest } from 'next/server';
import type { Actor } from '../access/actor';
import { type Access, requireAccess } from '../access/authorize';
import { env } from '../env';
import { requireSameOrigin } from '../platform/http/origin';
import { createRoute, type RouteDeclaration } from '../platform/http/route';
import { countChange } from '../platform/rate-limits/consume';
import { bearerToken, findActor } from './current-actor';
import { requireRecentAuthentication } from './require-recent-authentication';
import { sessionCookieName } from './session-token';
import { requireTwoStep } from './two-step-rule';

/** Declares a route handler that checks access against the database, and the origin of state-changing requests. */
export const route = createRoute<Actor, Access>(authorise);

async function authorise(
  { access, alongside, ignoresSession, recentAuthentication, beforeTwoStep, isBackground }: RouteDeclaration<Access>,
  request: NextRequest,
  requestId: string,
): Promise<{ actor: Actor | null; alongside: string | null }> {
  const isBearer = bearerToken(request.headers.get('authorization')) !== null;
  if (!isBearer) {
    const hasSessionCookie = !ignoresSession && request.cookies.has(sessionCookieName());
    requireSameOrigin({ method: request.method, headers: request.headers, hasSessionCookie, appUrl: env().APP_URL });
  }
  if (access === 'public') return { actor: null, alongside: null };
  const found = await findActor(request, { alongside, isBackground });
  const actor = { ...requireAccess(found.actor, access), requestId };
  if (!beforeTwoStep) requireTwoStep(actor);
  if (request.method !== 'GET' && request.method !== 'HEAD') countChange(actor.userId);
  if (recentAuthentication) requireRecentAuthentication(actor);
  return { actor, alongside: found.alongside };
}
