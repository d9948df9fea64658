import { sessionCookieName } from '@/lib/auth/session-token';
import { openClient } from './http-client';
import { createSessionToken } from './session-token';

/** Opens a session for a user without the cost of a sign-in. @returns a client of it, for every portal of the user */
export async function openSession(userId: string): Promise<ReturnType<typeof openClient>> {
  return openClient(`${sessionCookieName()}=${await createSessionToken(userId)}`);
}
