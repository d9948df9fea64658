import { and, inArray, isNull, sql } from 'drizzle-orm';
import { cookies, headers } from 'next/headers';
import { db } from '../../db/client';
import { sessions } from '../../db/schema/users';
import { bearerToken } from './current-actor';
import { decodeSessionToken, isSecure, sessionCookieName } from './session-token';

/**
 * Signs out: ends the rows that the cookie and the bearer token name, each of which would else go on without the other,
 * and drops the cookie. Nobody signed in: nothing happens.
 * @returns whether a session was running that this call ended
 */
export async function endSession(): Promise<boolean> {
  const [jar, headerList] = await Promise.all([cookies(), headers()]);
  const tokens = [bearerToken(headerList.get('authorization')), jar.get(sessionCookieName())?.value];
  const claims = await Promise.all(tokens.map((token) => (token ? decodeSessionToken(token) : null)));
  const sessionIds = claims.flatMap((claim) => claim?.sessionId ?? []);
  const ended =
    sessionIds.length === 0
      ? []
      : await db()
          .update(sessions)
          .set({ endedAt: new Date() })
          .where(and(inArray(sessions.id, sessionIds), isNull(sessions.endedAt)))
          .returning({ wasRunning: sql<boolean>`${sessions.expiresAt} > now()` });
  jar.set(sessionCookieName(), '', { httpOnly: true, sameSite: 'lax', secure: isSecure(), path: '/', maxAge: 0 });
  return ended.some(({ wasRunning }) => wasRunning);
}
