import { createSessionToken } from './session-token';

/** Opens a session for a user. @returns the headers that authenticate it */
export async function bearerOf(userId: string): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await createSessionToken(userId)}` };
}
