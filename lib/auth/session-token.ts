import { decode, encode } from 'next-auth/jwt';
import { z } from 'zod';
import { env } from '../env';

/** Twelve hours, or thirty days with "remember me". */
export const sessionSeconds = { normal: 12 * 60 * 60, remembered: 30 * 24 * 60 * 60 } as const;

const payload = z.object({ sub: z.string(), sid: z.string(), exp: z.number() });

/**
 * `__Host-` binds the cookie to this host and to https. Plain http (demo, tests) cannot carry it, and since cookies do
 * not know ports, the port stands in the name: two demos on one machine would sign each other out.
 */
export function sessionCookieName(): string {
  return isSecure() ? '__Host-linkmarket.session' : `linkmarket.session.${new URL(env().APP_URL).port || '80'}`;
}

export function isSecure(): boolean {
  return env().APP_URL.startsWith('https://');
}

/** The cookie's (and the bearer's) text: an encrypted next-auth JWT naming the sessions row. */
export function encodeSessionToken(userId: string, sessionId: string, maxAgeSeconds: number): Promise<string> {
  return encode({ token: { sub: userId, sid: sessionId }, secret: env().NEXTAUTH_SECRET, maxAge: maxAgeSeconds });
}

type SessionClaims = { userId: string; sessionId: string };

/** What was decrypted lately: the same text says the same until its time is over, and decrypting costs as much as a query. */
const known = new Map<string, SessionClaims & { endsAt: number }>();
const maxKnown = 2_000;

/**
 * @returns the ids inside, or null when the token is forged, damaged or past its time. Says nothing about
 * revocation: `currentActor` asks the sessions row.
 */
export async function decodeSessionToken(token: string): Promise<SessionClaims | null> {
  const found = known.get(token);
  if (found && found.endsAt > Date.now()) return found;
  known.delete(token);
  const claims = await decode({ token, secret: env().NEXTAUTH_SECRET }).catch(() => null);
  const parsed = payload.safeParse(claims);
  if (!parsed.success) return null;
  const read = { userId: parsed.data.sub, sessionId: parsed.data.sid, endsAt: parsed.data.exp * 1_000 };
  known.set(token, read);
  for (const oldest of known.keys()) {
    if (known.size <= maxKnown) break;
    known.delete(oldest);
  }
  return read;
}
