import { accountCookie } from '@/lib/access/account-choice';
import { sessionCookieName } from '@/lib/auth/session-token';
import { openClient } from './http-client';
import { createSessionToken } from './session-token';

/**
 * Opens a session for a user without the cost of a sign-in.
 * @param accountId the account that is chosen in the switcher; by default the user's own
 * @returns a client of it, for every portal of the user
 */
export async function openSession(
  userId: string,
  { accountId }: { accountId?: string } = {},
): Promise<ReturnType<typeof openClient>> {
  const session = `${sessionCookieName()}=${await createSessionToken(userId)}`;
  return openClient(accountId === undefined ? session : `${session}; ${accountCookie}=${accountId}`);
}
