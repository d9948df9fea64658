import { cookies, headers } from 'next/headers';
import type { z } from 'zod';
import { type Access, requireAccess } from '../acl/require';
import type { Actor } from '../auth/actor';
import { bearerToken, currentActor, findActor } from '../auth/current-actor';
import { requireRecentAuthentication } from '../auth/require-recent-authentication';
import { sessionCookieName } from '../auth/session-token';
import { requireTwoStep } from '../auth/two-step-rule';
import { env } from '../env';
import { countChange } from '../limits/count-change';
import { noteAction, requestIdOf } from '../log/open-requests';
import { clientIp } from './client-ip';
import { type ErrorBody, errorBody, toAppError } from './error-answer';
import { requireSameOrigin } from './origin';
import { parseInput } from './parse';

/** `retryAfterSeconds` stands for the header that an action cannot set. */
type Refusal = { ok: false; status: number; retryAfterSeconds?: number } & ErrorBody;
export type ActionAnswer<T> = { ok: true; data: T } | Refusal;

/** Where a call came from; for the audit log and the limits of actions that need no person. */
type ActionCall = { ip: string; requestId: string };

type Handler<A extends Access, Schema extends z.ZodType, T> = (
  actor: A extends 'public' ? null : Actor,
  input: z.output<Schema>,
  call: ActionCall,
) => Promise<T>;

type DeclaredAction<A extends Access, Schema extends z.ZodType> = {
  access: A;
  input: Schema;
  /** As in `route()`: the password must have been typed in this session within the last five minutes. */
  recentAuthentication?: true;
  /** As in `route()`: answers also a person who has to set up two-step sign-in first. */
  beforeTwoStep?: true;
  /** Called by the page itself, e.g. to show progress: such a call keeps no session from being idle. */
  isBackground?: true;
};

/**
 * Makes a server action with the same checks as `route()`: the person against the database (null when `access` is
 * 'public'), the origin, the input. For writes the contract gives no address. Errors are answered, not thrown: Next
 * would hide their text.
 */
export function action<A extends Access, Schema extends z.ZodType, T>(
  declared: DeclaredAction<A, Schema>,
  handle: Handler<A, Schema, T>,
): (input: z.input<Schema>) => Promise<ActionAnswer<T>> {
  return async (input) => {
    const headerList = await headers();
    const requestId = requestIdOf(headerList);
    noteAction(requestId);
    try {
      // As in route(): no browser sends a bearer token by itself.
      if (bearerToken(headerList.get('authorization')) === null) {
        const hasSessionCookie = (await cookies()).has(sessionCookieName());
        requireSameOrigin({ method: 'POST', headers: headerList, hasSessionCookie, appUrl: env().APP_URL });
      }
      const actor = await authorise(declared, requestId);
      const call = { ip: clientIp(headerList), requestId };
      const data = await handle(
        asDeclared<Parameters<typeof handle>[0]>(actor),
        parseInput(declared.input, input),
        call,
      );
      return { ok: true, data };
    } catch (thrown) {
      const error = toAppError(thrown, requestId);
      const { retryAfterSeconds } = error.details;
      return {
        ok: false,
        status: error.status,
        ...errorBody(error, requestId),
        ...(retryAfterSeconds && { retryAfterSeconds: Math.ceil(retryAfterSeconds) }),
      };
    }
  };
}

async function authorise(
  { access, recentAuthentication, beforeTwoStep, isBackground }: Omit<DeclaredAction<Access, z.ZodType>, 'input'>,
  requestId: string,
): Promise<Actor | null> {
  if (access === 'public') return null;
  const found = isBackground ? await backgroundActor() : await currentActor();
  const actor = { ...requireAccess(found, access), requestId };
  if (!beforeTwoStep) requireTwoStep(actor);
  countChange(actor.userId);
  if (recentAuthentication) requireRecentAuthentication(actor);
  return actor;
}

async function backgroundActor(): Promise<Actor | null> {
  const [cookieJar, headerList] = await Promise.all([cookies(), headers()]);
  return (await findActor({ cookies: cookieJar, headers: headerList }, { isBackground: true })).actor;
}

/** Whether there is an actor follows from `declared.access`, which the compiler cannot see through. */
function asDeclared<T>(actor: Actor | null): T {
  return actor as T;
}
