import 'server-only';
import type { SQL } from 'drizzle-orm';
import { type NextRequest, NextResponse } from 'next/server';
import type { z } from 'zod';
import { env } from '@/lib/env';
import { getRequestId } from '@/lib/platform/log/open-requests';
import { clientIp } from './client-ip';
import { errorBody, toAppError } from './error-response';
import { parseInput, parseQuery, readJson } from './parse';
import type { AccessRule, HandlerResult, ResponseDeclaration, RouteMetadata } from './route-metadata';

type Declared<
  A extends AccessRule,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends ResponseDeclaration,
> = RouteMetadata & {
  /** Who may call the route; see lib/access/authorize.ts for the rules. */
  access: A;
  /** The schema of the successful response; the default is `{ok: true}`. It is checked at compile time only. */
  response?: R;
  params?: P;
  query?: Q;
  /** A text that is read from the database in the same round trip as the session. */
  alongside?: SQL<string>;
  /** When declared, the body is read as JSON and parsed; otherwise it is left unread, e.g. for uploads. */
  body?: B;
  /** The maximum size of the JSON body, for a body that can be larger than the default of `readJson`. */
  maxBodyBytes?: number;
  /** The route does not depend on the session: a request without Origin is accepted even if it carries the cookie. */
  ignoresSession?: true;
};

type Call<Actor, A extends AccessRule, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  actor: A extends 'public' ? Actor | null : Actor;
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  alongside: string | null;
  request: NextRequest;
  ip: string;
  requestId: string;
};

/** A route declaration, as the API reference reads it (lib/platform/openapi). */
export type RouteDeclaration<A extends AccessRule = AccessRule> = Declared<
  A,
  z.ZodType,
  z.ZodType,
  z.ZodType,
  ResponseDeclaration
>;

/**
 * Authorises a request and returns its actor.
 * @param responseHeaders headers of the response, also of an error
 * @throws AppError unauthenticated or forbidden
 */
export type AuthoriseRequest<Actor, A extends AccessRule> = (
  declared: RouteDeclaration<A>,
  request: NextRequest,
  requestId: string,
  responseHeaders: Headers,
) => Promise<{ actor: Actor | null; alongside: string | null }>;

export type RouteContext = { params: Promise<Record<string, string | string[] | undefined>> };

/**
 * Creates `route()`, which turns a declaration into a route handler. The handler authorises the request, parses params,
 * query and body, calls `handle`, and maps errors to `{error}` with their status. A result that is not a Response
 * becomes JSON with the declared status. Responses are not cacheable. The declaration is a property of the handler; the
 * OpenAPI document is generated from it.
 * @param afterChange called before the response to a request of a user that may have changed something, also if it failed
 */
export function createRoute<Actor, Access extends AccessRule>(
  authorise: AuthoriseRequest<Actor, Access>,
  afterChange: (actor: Actor) => Promise<void>,
) {
  return function route<
    A extends Access,
    P extends z.ZodType = z.ZodUnknown,
    Q extends z.ZodType = z.ZodUnknown,
    B extends z.ZodType = z.ZodUnknown,
    R extends ResponseDeclaration = undefined,
  >(declared: Declared<A, P, Q, B, R>, handle: (call: Call<Actor, A, P, Q, B>) => Promise<HandlerResult<R>>) {
    const answer = async (
      request: NextRequest,
      context: RouteContext,
      { requestId, responseHeaders }: { requestId: string; responseHeaders: Headers },
    ): Promise<Response> => {
      try {
        const { actor, alongside } = await authorise(declared, request, requestId, responseHeaders);
        const call = {
          actor,
          alongside,
          params: declared.params ? parseInput(declared.params, await context.params) : undefined,
          query: declared.query ? parseQuery(declared.query, request.nextUrl.searchParams, request.method) : undefined,
          body: declared.body ? parseInput(declared.body, await readJson(request, declared.maxBodyBytes)) : undefined,
          request,
          ip: clientIp(request.headers),
          requestId,
        };
        const handled = handle(asDeclared<Call<Actor, A, P, Q, B>>(call));
        const result = await (actor && isChange(request) ? handled.finally(() => afterChange(actor)) : handled);
        const response = toResponse(result, requestId, declared.status);
        return request.method === 'HEAD' ? withoutBody(response) : response;
      } catch (thrown) {
        return toErrorResponse(thrown, request, requestId);
      }
    };
    const handler = async (request: NextRequest, context: RouteContext): Promise<Response> => {
      const responseHeaders = new Headers();
      const requestId = getRequestId(request.headers);
      const response = await answer(request, context, { requestId, responseHeaders });
      for (const [name, value] of responseHeaders) response.headers.set(name, value);
      return response;
    };
    const declaration: RouteDeclaration = declared;
    return Object.assign(handler, { declaration });
  };
}

/** Whether a request may change something. */
export const isChange = ({ method }: Pick<NextRequest, 'method'>): boolean => method !== 'GET' && method !== 'HEAD';

/** Casts a call. The conditional types of `Call` follow from `declared`, which the compiler cannot infer. */
function asDeclared<T>(call: unknown): T {
  return call as T;
}

function toErrorResponse(thrown: unknown, request: NextRequest, requestId: string): Response {
  const error = toAppError(thrown, requestId);
  if (error.code === 'reauthentication_required' && isNavigation(request)) {
    return toResponse(NextResponse.redirect(getConfirmUrl(request), 303), requestId);
  }
  const response = NextResponse.json(errorBody(error, requestId), { status: error.status });
  const { retryAfterSeconds } = error.details;
  if (retryAfterSeconds) response.headers.set('Retry-After', String(Math.ceil(retryAfterSeconds)));
  return toResponse(response, requestId);
}

/** Checks whether a browser follows a link; it cannot show a JSON error. */
function isNavigation({ method, headers }: NextRequest): boolean {
  return method === 'GET' && (headers.get('accept')?.includes('text/html') ?? false);
}

/** Returns the page that prompts for the password and then opens the link. */
function getConfirmUrl({ nextUrl }: NextRequest): URL {
  const address = new URL('/dashboard/confirm', env().APP_URL);
  address.searchParams.set('next', nextUrl.pathname + nextUrl.search);
  return address;
}

/** Removes the body: Next.js answers HEAD with the GET handler and does not read it, so its source would stay open. */
async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

function toResponse(result: unknown, requestId: string, status = 200): Response {
  const response = result instanceof Response ? result : NextResponse.json(result ?? { ok: true }, { status });
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'private, no-store');
  response.headers.set('X-Request-Id', requestId);
  return response;
}
