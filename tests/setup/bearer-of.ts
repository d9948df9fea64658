import { db } from '@/db/client';
import { sessions } from '@/db/schema/users';
import { encodeSessionToken } from '@/lib/auth/session-token';
import { newId } from '@/lib/ids';

/** Opens a session for a user. @returns the headers that authenticate it */
export async function bearerOf(userId: string): Promise<Record<string, string>> {
  const id = newId();
  const expiresAt = new Date(Date.now() + 600_000);
  await db().insert(sessions).values({ id, userId, ip: '', userAgent: '', expiresAt });
  return { authorization: `Bearer ${await encodeSessionToken(userId, id, 600)}` };
}
