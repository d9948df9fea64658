import { eq } from 'drizzle-orm';
import type { AuthOptions } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { z } from 'zod';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/users';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { parseInput } from '@/lib/platform/http/parse';
import { log } from '@/lib/platform/log/log';
import { currentActor } from './current-actor';
import { endSession } from './end-sessions';
import { portals } from './portals';
import { getReturnPath } from './return-path';
import { signInBody } from './schemas';
import { isSecure, sessionCookieName, sessionSeconds } from './session-token';
import { signIn } from './sign-in';
import { sessionView } from './views';

/** The body of next-auth's form: strings only, with an optional portal, by default the customers'. */
const credentials = signInBody.extend({
  portal: z.enum(['user', 'admin', 'seller']).default('user'),
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
export function nextAuthOptions(
  caller: Caller,
  onRejected: (reason: unknown) => void,
  onSignedOut: () => void,
): AuthOptions {
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
        authorize: async (given) => {
          try {
            const { portal, ...body } = parseInput(credentials, given);
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

/** The expiry of a session, in next-auth's format. */
async function sessionEnd(sessionId: string): Promise<string> {
  const [row] = await db().select({ expiresAt: sessions.expiresAt }).from(sessions).where(eq(sessions.id, sessionId));
  return (row?.expiresAt ?? new Date()).toISOString();
}

/** Logs errors, except for a revoked cookie ("JWT invalid"), which is expected. */
function logFailure(code: string, cause: Error | { error?: Error }): void {
  const error = cause instanceof Error ? cause : cause.error;
  if (error?.message !== 'JWT invalid') log().error({ code, err: error }, 'next-auth failed.');
}
