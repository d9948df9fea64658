import { eq } from 'drizzle-orm';
import type { AuthOptions } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { z } from 'zod';
import { db } from '../../db/client';
import { sessions } from '../../db/schema/users';
import { env } from '../env';
import { AppError } from '../errors';
import { parseInput } from '../platform/http/parse';
import { log } from '../platform/log/log';
import { currentActor } from './current-actor';
import { endSession } from './end-sessions';
import { portals } from './portals';
import { returnPath } from './return-path';
import { signInBody } from './schemas';
import { isSecure, sessionCookieName, sessionSeconds } from './session-token';
import { signIn } from './sign-in';
import { sessionView } from './views';

/** What next-auth's form sends: texts only, and which of the three doors; the customers' when it does not say. */
const credentials = signInBody.extend({
  portal: z.enum(['user', 'admin', 'seller']).default('user'),
  remember: z.stringbool().default(false),
});

type Caller = { ip: string; userAgent: string; requestId: string };

/**
 * next-auth as one more door to the same house: signing in goes through `signIn` (limits, second factor, sessions row,
 * cookie), reading through `currentActor`, signing out through `endSession`. next-auth itself neither makes nor renews
 * a session: what it would put into the cookie is dropped by `nextAuthRoute`.
 * @param refused told of a refusal with its status, which next-auth would flatten into a redirect
 * @param ended called when a running session was signed out
 */
export function nextAuthOptions(caller: Caller, refused: (reason: unknown) => void, ended: () => void): AuthOptions {
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
            refused(thrown);
            return null;
          }
        },
      }),
    ],
    jwt: {
      // Answers nobody's session unless its row is running and its person Active.
      decode: async () => {
        const actor = await currentActor();
        return actor && { sub: actor.userId, sid: actor.sessionId, email: actor.email, name: actor.name };
      },
      // Never reaches a browser; see nextAuthRoute.
      encode: async () => '',
    },
    callbacks: {
      // What next-auth would follow, from its callbackUrl or the cookie of that name: as our own `next`.
      redirect: ({ url }) => env().APP_URL + ownPath(url),
      session: async ({ session }) => {
        const actor = await currentActor();
        return actor ? { user: sessionView(actor), expires: await sessionEnd(actor.sessionId) } : session;
      },
    },
    events: {
      signOut: async () => {
        if (await endSession()) ended();
      },
    },
    logger: {
      error: (code, cause) => {
        // To next-auth a fault of ours (500); it is what the request asked for.
        if (code === 'INVALID_CALLBACK_URL_ERROR') refused(new AppError('invalid_input', 'callbackUrl is no address.'));
        else logFailure(code, cause);
      },
      warn: () => undefined,
    },
  };
}

/** A path inside one of the portals, or the customers' home. Accepts it with our origin in front, as next-auth writes it. */
function ownPath(url: string): string {
  const { APP_URL } = env();
  const path = url.startsWith(`${APP_URL}/`) ? url.slice(APP_URL.length) : url;
  const { user, admin, seller } = portals;
  const found = [admin, seller].find(({ home }) => returnPath(path, home) !== home || path === home);
  return returnPath(path, found?.home ?? user.home);
}

/** When a running session ends by itself, as next-auth writes it. */
async function sessionEnd(sessionId: string): Promise<string> {
  const [row] = await db().select({ expiresAt: sessions.expiresAt }).from(sessions).where(eq(sessions.id, sessionId));
  return (row?.expiresAt ?? new Date()).toISOString();
}

/** A revoked cookie is an everyday matter to us ("JWT invalid" to next-auth); everything else is worth a line. */
function logFailure(code: string, cause: Error | { error?: Error }): void {
  const error = cause instanceof Error ? cause : cause.error;
  if (error?.message !== 'JWT invalid') log().error({ code, err: error }, 'next-auth failed.');
}
