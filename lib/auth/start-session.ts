import { cookies } from 'next/headers';
import type { Executor } from '../../db/client';
import { sessions } from '../../db/schema/users';
import { newId } from '../ids';
import { encodeSessionToken, isSecure, sessionCookieName, sessionSeconds } from './session-token';

/**
 * Opens a session for somebody whose password was checked: a row in the database and a cookie that names it.
 * Without `remember` the cookie ends with the browser, and the session after twelve hours in any case.
 * @param tx the transaction that writes the sign-in's line in the audit log as well
 */
export async function startSession(
  tx: Executor,
  userId: string,
  { ip, userAgent, remember = false }: { ip: string; userAgent: string; remember?: boolean },
): Promise<void> {
  const sessionId = newId();
  const seconds = remember ? sessionSeconds.remembered : sessionSeconds.normal;
  await tx.insert(sessions).values({
    id: sessionId,
    userId,
    ip,
    userAgent: userAgent.slice(0, 400),
    expiresAt: new Date(Date.now() + seconds * 1000),
  });
  (await cookies()).set(sessionCookieName(), await encodeSessionToken(userId, sessionId, seconds), {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(),
    path: '/',
    ...(remember && { maxAge: seconds }),
  });
}
