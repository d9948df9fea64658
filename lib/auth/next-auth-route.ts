import { eq } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import NextAuth, { type AuthOptions } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { z } from 'zod';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/users';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { parseInput, readBytes, readJson } from '@/lib/platform/http/parse';
import { log } from '@/lib/platform/log/log';
import { sessionView, signInBody } from './contract';
import { currentActor } from './current-actor';
import { clearSiteData } from './portal-routes';
import { getReturnPath, portalNames, portals } from './portals';
import { endSession } from './revoke-access';
import { route } from './route';
import { isSecure, sessionCookieName, sessionSeconds } from './session-token';
import { signIn } from './sign-in';

/** The body of next-auth's form: strings only, with an optional portal, by default the customers'. */
const credentials = signInBody.extend({
  portal: z.enum(portalNames).default('user'),
  remember: z.stringbool().default(false),
});

type Caller = { ip: string; userAgent: string; requestId: string };

/**
 * Configures next-auth on top of the app's own sessions: signing in uses `signIn` (limits, second factor, sessions row,
 * cookie), reading uses `currentActor`, signing out uses `endSession`. next-auth does not create or renew a session:
 * `nextAuthRoute` removes its session cookie.
 * @param onRejected receives an error with its status, which next-auth would turn into a redirect
 * @param onSignedOut called when an active session was signed out
 */
function nextAuthOptions(caller: Caller, onRejected: (reason: unknown) => void, onSignedOut: () => void): AuthOptions {
  return {
    secret: env().NEXTAUTH_SECRET,
    session: { strategy: 'jwt', maxAge: sessionSeconds.normal },
    useSecureCookies: isSecure(),
    cookies: {
      sessionToken: {
        name: sessionCookieName(),
        options: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure() },
      },
    },
    pages: { signIn: portals.user.signIn, signOut: portals.user.signIn, error: portals.user.signIn },
    providers: [
      Credentials({
        name: 'Email and password',
        credentials: {
          email: { label: 'Email', type: 'email' },
          password: { label: 'Password', type: 'password' },
          code: { label: 'Authentication code', type: 'text' },
          portal: { label: 'Portal', type: 'text' },
          remember: { label: 'Remember me', type: 'text' },
        },
        authorize: async (input) => {
          try {
            const { portal, ...body } = parseInput(credentials, input);
            const { userId, name, email } = await signIn(portal, body, caller);
            return { id: userId, name, email };
          } catch (thrown) {
            onRejected(thrown);
            return null;
          }
        },
      }),
    ],
    jwt: {
      // Returns null unless the session is active and the account is Active.
      decode: async () => {
        const actor = await currentActor();
        return actor && { sub: actor.userId, sid: actor.sessionId, email: actor.email, name: actor.name };
      },
      // Never sent to a browser; see nextAuthRoute.
      encode: async () => '',
    },
    callbacks: {
      // The target of next-auth's callbackUrl, or of its cookie; validated like `next`.
      redirect: ({ url }) => env().APP_URL + toPortalPath(url),
      session: async ({ session }) => {
        const actor = await currentActor();
        return actor ? { user: sessionView(actor), expires: await sessionEnd(actor.sessionId) } : session;
      },
    },
    events: {
      signOut: async () => {
        if (await endSession()) onSignedOut();
      },
    },
    logger: {
      error: (code, cause) => {
        // next-auth reports it as a server error (500), but it is invalid input.
        if (code === 'INVALID_CALLBACK_URL_ERROR')
          onRejected(new AppError('invalid_input', 'callbackUrl is not a valid URL.'));
        else logFailure(code, cause);
      },
      warn: () => undefined,
    },
  };
}

/** Returns a path inside a portal, or the customers' home. Accepts it with the app's origin, as next-auth writes it. */
function toPortalPath(url: string): string {
  const { APP_URL } = env();
  const path = url.startsWith(`${APP_URL}/`) ? url.slice(APP_URL.length) : url;
  const { user, admin, seller } = portals;
  const found = [admin, seller].find(({ home }) => getReturnPath(path, home) !== home || path === home);
  return getReturnPath(path, found?.home ?? user.home);
}

/** Returns the expiry of a session, in next-auth's format. */
async function sessionEnd(sessionId: string): Promise<string> {
  const [row] = await db().select({ expiresAt: sessions.expiresAt }).from(sessions).where(eq(sessions.id, sessionId));
  return (row?.expiresAt ?? new Date()).toISOString();
}

/** Logs errors, except for a revoked cookie ("JWT invalid"), which is expected. */
function logFailure(code: string, cause: Error | { error?: Error }): void {
  const error = cause instanceof Error ? cause : cause.error;
  if (error?.message !== 'JWT invalid') log().error({ code, err: error }, 'next-auth failed.');
}

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

/** Serves /api/auth/[...nextauth]: next-auth's endpoints with the checks, limits and sessions of the JSON endpoints. */
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

/** Adds the address of the error page. next-auth's browser code reads the outcome from `url`. */
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
