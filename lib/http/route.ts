import type { SQL } from 'drizzle-orm';
import { type NextRequest, NextResponse } from 'next/server';
import type { z } from 'zod';
import { type Access, requireAccess } from '../acl/require';
import type { Actor } from '../auth/actor';
import { bearerToken, findActor } from '../auth/current-actor';
import { requireRecentAuthentication } from '../auth/require-recent-authentication';
import { sessionCookieName } from '../auth/session-token';
import { requireTwoStep } from '../auth/two-step-rule';
import { env } from '../env';
import { countChange } from '../limits/count-change';
import { requestIdOf } from '../log/open-requests';
import { clientIp } from './client-ip';
import type { Answered, DeclaredAnswer, DeclaredFacts } from './declared-answer';
import { errorBody, toAppError } from './error-answer';
import { requireSameOrigin } from './origin';
import { parseInput, searchParamsObject } from './parse';
import { readJson } from './read-body';

type Declared<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends DeclaredAnswer,
> = DeclaredFacts & {
  /** Who may call it; see lib/acl/require.ts. */
  access: A;
  /** What success answers; not declared: `{ok: true}`. The compiler holds `handle` to it, at run time nothing does. */
  answer?: R;
  params?: P;
  query?: Q;
  /** Declared: a text that is read from the database in the same round trip as who is asking. */
  alongside?: SQL<string>;
  /** Declared: the body is read as JSON and parsed. Not declared: it is left unread, for uploads to stream. */
  body?: B;
  /** Nothing it does depends on the session: a request without Origin is accepted also when it carries the cookie. */
  ignoresSession?: true;
};

type Call<A extends Access, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  actor: A extends 'public' ? Actor | null : Actor;
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  alongside: string | null;
  request: NextRequest;
  ip: string;
  requestId: string;
};

/** A declaration as the reference of all addresses reads it (lib/openapi). */
export type RouteDeclaration = Declared<Access, z.ZodType, z.ZodType, z.ZodType, DeclaredAnswer>;

type RouteContext = { params: Promise<Record<string, string | string[] | undefined>> };

/**
 * Makes a route handler out of a declaration: authorises against the database, checks the origin of changes, parses
 * params, query and body, calls `handle`, and maps errors to `{error}` with their status. An answer that is no
 * Response becomes JSON with the declared status. Nothing it answers may be stored by a cache. The declaration stays
 * readable on the handler: the OpenAPI document is made of it.
 */
export function route<
  A extends Access,
  P extends z.ZodType = z.ZodUnknown,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
  R extends DeclaredAnswer = undefined,
>(declared: Declared<A, P, Q, B, R>, handle: (call: Call<A, P, Q, B>) => Promise<Answered<R>>) {
  const handler = async (request: NextRequest, context: RouteContext): Promise<Response> => {
    const requestId = requestIdOf(request.headers);
    try {
      const { actor, alongside } = await authorise(declared, request, requestId);
      const call = {
        actor,
        alongside,
        params: declared.params ? parseInput(declared.params, await context.params) : undefined,
        query: declared.query
          ? parseInput(declared.query, searchParamsObject(request.nextUrl.searchParams))
          : undefined,
        body: declared.body ? parseInput(declared.body, await readJson(request)) : undefined,
        request,
        ip: clientIp(request.headers),
        requestId,
      };
      const answer = finish(await handle(asDeclared<Call<A, P, Q, B>>(call)), requestId, declared.status);
      return request.method === 'HEAD' ? withoutBody(answer) : answer;
    } catch (thrown) {
      const error = toAppError(thrown, requestId);
      if (error.code === 'reauthentication_required' && isNavigation(request)) {
        return finish(NextResponse.redirect(confirmAddress(request), 303), requestId);
      }
      const answer = NextResponse.json(errorBody(error, requestId), { status: error.status });
      const { retryAfterSeconds } = error.details;
      if (retryAfterSeconds) answer.headers.set('Retry-After', String(Math.ceil(retryAfterSeconds)));
      return finish(answer, requestId);
    }
  };
  const declaration: RouteDeclaration = declared;
  return Object.assign(handler, { declaration });
}

/** The conditional types of `Call` follow from what `declared` holds, which the compiler cannot see through. */
function asDeclared<T>(call: unknown): T {
  return call as T;
}

async function authorise(
  { access, alongside, ignoresSession, recentAuthentication, beforeTwoStep }: RouteDeclaration,
  request: NextRequest,
  requestId: string,
): Promise<{ actor: Actor | null; alongside: string | null }> {
  const isBearer = bearerToken(request.headers.get('authorization')) !== null;
  if (!isBearer) {
    const hasSessionCookie = !ignoresSession && request.cookies.has(sessionCookieName());
    requireSameOrigin({ method: request.method, headers: request.headers, hasSessionCookie, appUrl: env().APP_URL });
  }
  if (access === 'public') return { actor: null, alongside: null };
  const found = await findActor(request, { alongside });
  const actor = { ...requireAccess(found.actor, access), requestId };
  if (!beforeTwoStep) requireTwoStep(actor);
  if (request.method !== 'GET' && request.method !== 'HEAD') countChange(actor.userId);
  if (recentAuthentication) requireRecentAuthentication(actor);
  return { actor, alongside: found.alongside };
}

/** A person who follows a link, to whom JSON says nothing. */
function isNavigation({ method, headers }: NextRequest): boolean {
  return method === 'GET' && (headers.get('accept')?.includes('text/html') ?? false);
}

/** The page that asks for the password and then opens the link. */
function confirmAddress({ nextUrl }: NextRequest): URL {
  const address = new URL('/dashboard/confirm', env().APP_URL);
  address.searchParams.set('next', nextUrl.pathname + nextUrl.search);
  return address;
}

/** Next.js answers HEAD by GET and leaves the body unread, and what it is read from open. */
async function withoutBody(answer: Response): Promise<Response> {
  await answer.body?.cancel();
  return new Response(null, { status: answer.status, headers: answer.headers });
}

function finish(answer: unknown, requestId: string, status = 200): Response {
  const response = answer instanceof Response ? answer : NextResponse.json(answer ?? { ok: true }, { status });
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'private, no-store');
  response.headers.set('X-Request-Id', requestId);
  return response;
}
