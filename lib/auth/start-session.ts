import { and, eq, isNull, sql } from 'drizzle-orm';
import { cookies } from 'next/headers';
import type { Executor } from '../../db/client';
import { sessions } from '../../db/schema/users';
import { hasPermission } from '../acl/require';
import { newId } from '../ids';
import type { Actor } from './actor';
import { recognizeDevice } from './known-device';
import { decodeSessionToken, encodeSessionToken, isSecure, sessionCookieName, sessionSeconds } from './session-token';

/**
 * Opens a session for somebody whose password was checked: a row in the database and a cookie that names it.
 * The session that this browser's cookie named until now ends: nobody could sign out of it any more.
 * Without `remember` the cookie ends with the browser, and the session after twelve hours in any case; one of staff ends
 * after twelve hours with `remember` as well.
 * A person who has not signed in on this device before is mailed.
 * @param tx the transaction that writes the sign-in's line in the audit log as well
 */
export async function startSession(
  tx: Executor,
  person: Pick<Actor, 'userId' | 'email' | 'role' | 'permissions'>,
  { ip, userAgent, remember = false }: { ip: string; userAgent: string; remember?: boolean },
): Promise<void> {
  const jar = await cookies();
  await endNamed(tx, jar.get(sessionCookieName())?.value);
  await recognizeDevice(tx, person, { ip, userAgent });
  const sessionId = newId();
  const { userId } = person;
  const isLong = remember && !hasPermission(person, 'AdminDashboard');
  const seconds = isLong ? sessionSeconds.remembered : sessionSeconds.normal;
  await tx.insert(sessions).values({
    id: sessionId,
    userId,
    ip,
    userAgent: userAgent.slice(0, 400),
    expiresAt: new Date(Date.now() + seconds * 1000),
  });
  jar.set(sessionCookieName(), await encodeSessionToken(userId, sessionId, seconds), {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(),
    path: '/',
    ...(remember && { maxAge: seconds }),
  });
}

async function endNamed(tx: Executor, token: string | undefined): Promise<void> {
  const claims = token ? await decodeSessionToken(token) : null;
  if (!claims) return;
  await tx
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(sessions.id, claims.sessionId), eq(sessions.userId, claims.userId), isNull(sessions.endedAt)));
}
