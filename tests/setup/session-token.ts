import { db } from '@/db/client';
import { sessions } from '@/db/schema/users';
import { encodeSessionToken } from '@/lib/auth/session-token';
import { newId } from '@/lib/ids';

const lifetimeSeconds = 3_600;

/** Creates a session of a user. @returns its token */
export async function createSessionToken(userId: string): Promise<string> {
  const id = newId();
  const expiresAt = new Date(Date.now() + lifetimeSeconds * 1_000);
  await db().insert(sessions).values({ id, userId, ip: '', userAgent: '', expiresAt });
  return encodeSessionToken(userId, id, lifetimeSeconds);
}
