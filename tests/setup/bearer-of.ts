import { db } from '@/db/client';
import { sessions } from '@/db/schema/users';
import { encodeSessionToken } from '@/lib/auth/session-token';
import { newId } from '@/lib/ids';

/** Opens a session for somebody. @returns the headers that name it */
export async function bearerOf(userId: string): Promise<Record<string, string>> {
  const id = newId();
  const expiresAt = new Date(Date.now() + 600_000);
  await db().insert(sessions).values({ id, userId, ip: '', userAgent: '', expiresAt });
  return { authorization: `Bearer ${await encodeSessionToken(userId, id, 600)}` };
}
