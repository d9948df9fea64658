import { cookies, headers } from 'next/headers';
import type { z } from 'zod';
import { type Access, requireAccess } from '../acl/require';
import type { Actor } from '../auth/actor';
import { currentActor } from '../auth/current-actor';
import { sessionCookieName } from '../auth/session-token';
import { env } from '../env';
import { newId } from '../ids';
import { type ErrorBody, errorBody, toAppError } from './error-answer';
import { requireSameOrigin } from './origin';
import { parseInput } from './parse';

export type ActionAnswer<T> = { ok: true; data: T } | ({ ok: false; status: number } & ErrorBody);

/**
 * Makes a server action with the same checks as `route()`: the person against the database, the origin, the input.
 * For writes the contract gives no address. Errors are answered, not thrown: Next would hide their text.
 */
export function action<Schema extends z.ZodType, T>(
  declared: { access: Exclude<Access, 'public'>; input: Schema },
  handle: (actor: Actor, input: z.output<Schema>) => Promise<T>,
): (input: z.input<Schema>) => Promise<ActionAnswer<T>> {
  return async (input) => {
    const requestId = newId();
    try {
      requireSameOrigin({
        method: 'POST',
        headers: await headers(),
        hasSessionCookie: (await cookies()).has(sessionCookieName()),
        appUrl: env().APP_URL,
      });
      const actor = requireAccess(await currentActor(), declared.access);
      return { ok: true, data: await handle({ ...actor, requestId }, parseInput(declared.input, input)) };
    } catch (thrown) {
      const error = toAppError(thrown, requestId);
      return { ok: false, status: error.status, ...errorBody(error, requestId) };
    }
  };
}
