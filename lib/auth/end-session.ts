import { and, eq, isNull } from 'drizzle-orm';
import { cookies, headers } from 'next/headers';
import { db } from '../../db/client';
import { sessions } from '../../db/schema/users';
import { bearerToken } from './current-actor';
import { decodeSessionToken, isSecure, sessionCookieName } from './session-token';

/** Signs out: ends the row the cookie (or bearer token) names and drops the cookie. Nobody signed in: nothing happens. */
export async function endSession(): Promise<void> {
  const [jar, headerList] = await Promise.all([cookies(), headers()]);
  const token = bearerToken(headerList.get('authorization')) ?? jar.get(sessionCookieName())?.value;
  const claims = token ? await decodeSessionToken(token) : null;
  if (claims) {
    await db()
      .update(sessions)
      .set({ endedAt: new Date() })
      .where(and(eq(sessions.id, claims.sessionId), isNull(sessions.endedAt)));
  }
  jar.set(sessionCookieName(), '', { httpOnly: true, sameSite: 'lax', secure: isSecure(), path: '/', maxAge: 0 });
}
