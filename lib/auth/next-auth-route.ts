import { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { z } from 'zod';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { parseInput } from '@/lib/platform/http/parse';
import { readBytes, readJson } from '@/lib/platform/http/read-body';
import { nextAuthOptions } from './next-auth-options';
import { clearSiteData } from './portal-routes';
import { portals } from './portals';
import { route } from './route';
import { sessionCookieName } from './session-token';

/** next-auth's error name is part of the redirect URL, so it is restricted to word characters. */
const query = z.looseObject({
  error: z
    .string()
    .regex(/^\w{1,60}$/, 'error must be an error name.')
    .optional(),
});

const params = z.object({ nextauth: z.array(z.string().max(60)).min(1).max(3) });

/**
 * The enabled endpoints of next-auth. Disabled are updates of a session from the browser (POST session), writing to the
 * log (_log), its own pages, and providers that are not configured.
 */
const enabledEndpoints = {
  GET: ['csrf', 'providers', 'session', 'signin', 'signout', 'error'],
  POST: ['callback/credentials', 'signout'],
};

/** next-auth's pages are disabled; its other responses are passed on. */
const response = { mediaTypes: ['text/html'], orJson: z.unknown() };

const declarations = {
  GET: {
    access: 'public',
    summary: "next-auth's GET endpoints: csrf, providers, session, signin, signout, error.",
    description: 'As documented for next-auth 4; some redirect to another page.',
    params,
    query,
    response,
    redirects: true,
    errors: ['not_found'],
  },
  POST: {
    access: 'public',
    summary: "next-auth's password sign-in (callback/credentials) and sign-out.",
    description:
      'A form with the token of /api/auth/csrf; with `json=true`, the response contains the next URL as JSON.',
    params,
    response,
    redirects: true,
    errors: ['unauthenticated', 'forbidden', 'not_found', 'too_large', 'rate_limited'],
  },
} as const;

/** /api/auth/[...nextauth]: next-auth's endpoints with the checks, limits and sessions of the JSON endpoints. */
export const nextAuthRoute = (method: 'GET' | 'POST') =>
  route(declarations[method], async ({ params: { nextauth }, request, ip, requestId }) => {
    if (!enabledEndpoints[method].includes(nextauth.join('/')))
      throw new AppError('not_found', 'No endpoint exists at this path.');
    const refusals: unknown[] = [];
    const caller = { ip, requestId, userAgent: request.headers.get('user-agent') ?? '' };
    let hasEnded = false;
    const options = nextAuthOptions(
      caller,
      (reason) => refusals.push(reason),
      () => {
        hasEnded = true;
      },
    );
    const response: Response = await NextAuth(await withLimitedBody(request), { params: { nextauth } }, options);
    const [reason] = refusals;
    if (reason instanceof AppError) throw withErrorPage(reason);
    if (reason) throw reason;
    return adjustHeaders(response, hasEnded ? clearSiteData : {});
  });

const maxBodyBytes = 16 * 1024;

/** Reads the body with a size limit, and requires a JSON body to be an object; next-auth checks neither. */
async function withLimitedBody(request: NextRequest): Promise<NextRequest> {
  if (request.method !== 'POST') return request;
  const isJson = request.headers.get('content-type')?.includes('application/json') ?? false;
  const body = isJson
    ? JSON.stringify(parseInput(z.record(z.string(), z.unknown()), await readJson(request, maxBodyBytes)))
    : new Uint8Array(await readBytes(request, maxBodyBytes));
  return new NextRequest(request.url, { method: 'POST', headers: request.headers, body });
}

/** next-auth's browser code reads the outcome from `url`. */
function withErrorPage(reason: AppError): AppError {
  const url = `${env().APP_URL}${portals.user.signIn}?error=CredentialsSignin`;
  return new AppError(reason.code, reason.message, { ...reason.details, url });
}

/**
 * Adjusts the headers of next-auth's response. Only `startSession` and `endSession` set the session cookie: next-auth
 * would renew it with each read, which would make a cookie that ends with the browser persistent.
 */
function adjustHeaders(response: Response, own: Record<string, string>): Response {
  const headers = new Headers([...response.headers, ...Object.entries(own)]);
  const otherCookies = headers.getSetCookie().filter((line) => !line.startsWith(sessionCookieName()));
  headers.delete('set-cookie');
  for (const line of otherCookies) headers.append('set-cookie', line);
  headers.delete('cache-control');
  return new Response(response.body, { status: response.status, headers });
}
