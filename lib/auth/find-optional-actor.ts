import 'server-only';
import type { NextRequest } from 'next/server';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { isTokenSecret } from './api-token-secret';
import { authenticateToken } from './authenticate-token';
import { bearerToken, findActor } from './current-actor';

/**
 * Finds the caller of a public address that answers signed-in callers with more.
 * @returns null without a session or API token, and with one that is not valid
 * @throws AppError rate_limited for an API token; not_configured while API tokens are off
 */
export async function findOptionalActor(request: NextRequest): Promise<Actor | null> {
  const bearer = bearerToken(request.headers.get('authorization'));
  if (bearer === null || !isTokenSecret(bearer)) return (await findActor(request)).actor;
  try {
    const { actor } = await authenticateToken(bearer, { headers: request.headers, responseHeaders: new Headers() });
    return actor;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'unauthenticated') return null;
    throw thrown;
  }
}
