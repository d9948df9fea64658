import { decode, encode } from 'next-auth/jwt';
import { z } from 'zod';
import { env } from '@/lib/env';
import { type Portal, portalNames } from './portals';

/** Twelve hours, or thirty days with "remember me". */
export const sessionSeconds = { normal: 12 * 60 * 60, remembered: 30 * 24 * 60 * 60 } as const;

const payload = z.object({
  sub: z.string(),
  sid: z.string(),
  exp: z.number(),
  portals: z.array(z.enum(portalNames)).default([]),
});

/**
 * Returns the name of the session cookie. `__Host-` binds it to this host and to https. Over http (demo, tests) the
 * name contains the port, because cookies are shared by all ports of a host.
 */
export function sessionCookieName(): string {
  return isSecure() ? '__Host-linkmarket.session' : `linkmarket.session.${new URL(env().APP_URL).port || '80'}`;
}

export function isSecure(): boolean {
  return env().APP_URL.startsWith('https://');
}

/**
 * Creates the token of the cookie or bearer header: an encrypted next-auth JWT with the ids of user and session.
 * @param admittedTo the portals that the user may open at this time, to which the middleware admits without a query;
 * all other checks read the role from the database
 */
export function encodeSessionToken(
  userId: string,
  sessionId: string,
  maxAgeSeconds: number,
  admittedTo: readonly Portal[] = [],
): Promise<string> {
  const token = { sub: userId, sid: sessionId, portals: admittedTo };
  return encode({ token, secret: env().NEXTAUTH_SECRET, maxAge: maxAgeSeconds });
}

type SessionClaims = { userId: string; sessionId: string; portals: readonly Portal[] };

/** Recently decrypted tokens: decryption costs as much as a query. */
const tokenCache = new Map<string, SessionClaims & { endsAt: number }>();
const maxCachedTokens = 2_000;

/**
 * Decrypts a session token.
 * @returns null when the token is forged, damaged or expired; `currentActor` checks whether it was revoked
 */
export async function decodeSessionToken(token: string): Promise<SessionClaims | null> {
  const found = tokenCache.get(token);
  if (found && found.endsAt > Date.now()) return found;
  tokenCache.delete(token);
  const claims = await decode({ token, secret: env().NEXTAUTH_SECRET }).catch(() => null);
  const parsed = payload.safeParse(claims);
  if (!parsed.success) return null;
  const { sub: userId, sid: sessionId, exp, portals } = parsed.data;
  const read = { userId, sessionId, portals, endsAt: exp * 1_000 };
  tokenCache.set(token, read);
  for (const oldest of tokenCache.keys()) {
    if (tokenCache.size <= maxCachedTokens) break;
    tokenCache.delete(oldest);
  }
  return read;
}
