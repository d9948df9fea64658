import 'server-only';
import { headers } from 'next/headers';
import { z } from 'zod';
import { getRequestId, markActionStarted } from '@/lib/platform/log/open-requests';
import { clientIp } from './client-ip';
import { type ErrorBody, errorBody, toAppError } from './error-response';
import { parseInput } from './parse';
import type { AccessRule } from './route-metadata';

/** `retryAfterSeconds` replaces the Retry-After header, which an action cannot set. */
type ActionError = { ok: false; status: number; retryAfterSeconds?: number } & ErrorBody;
export type ActionResult<T> = { ok: true; data: T } | ActionError;

/** Of any length and characters: who is no member of the account gets 404. */
const accountIdField = z.string().optional();

/** The origin of a call; for the audit log and the limits of public actions. */
type ActionCall = { ip: string; requestId: string };

/** An action of an account also takes the id of the account that the page was rendered for; without one it acts for the active
 * account. */
type ActionArguments<A, Input> = A extends `account:${string}`
  ? [input: Input, accountId: string | undefined]
  : [input: Input];

type Handler<Actor, A extends AccessRule, Schema extends z.ZodType, T> = (
  actor: A extends 'public' ? null : Actor,
  input: z.output<Schema>,
  call: ActionCall,
) => Promise<T>;

export type ActionDeclaration<A extends AccessRule, Schema extends z.ZodType = z.ZodType> = {
  access: A;
  input: Schema;
  /** As in `route()`: the password must have been entered in this session within the last five minutes. */
  recentAuthentication?: true;
  /** As in `route()`: also available to a user who must set up two-step sign-in first. */
  beforeTwoStep?: true;
  /** The page makes the call without user input, e.g. to show progress. Such a call does not count as activity. */
  isBackground?: true;
};

/**
 * Creates `action()`, which declares a server action with the same checks as `route()`: the caller (null when `access`
 * is 'public'), the origin and the input. For writes that are not part of the public API. Errors are returned instead
 * of thrown because Next.js hides the message of a thrown error.
 * @param afterChange called when an action of a user is done, also if it failed, before the page is rendered again
 */
export function createAction<Actor, Access extends AccessRule>(
  authorise: (
    declared: ActionDeclaration<Access>,
    call: { headerList: Headers; requestId: string; accountId: string | undefined },
  ) => Promise<Actor | null>,
  afterChange: (actor: Actor) => Promise<void>,
) {
  return function action<A extends Access, Schema extends z.ZodType, T>(
    declared: ActionDeclaration<A, Schema>,
    handle: Handler<Actor, A, Schema, T>,
  ): (...sent: ActionArguments<A, z.input<Schema>>) => Promise<ActionResult<T>> {
    return async (input, sentAccount?: unknown) => {
      const headerList = await headers();
      const requestId = getRequestId(headerList);
      markActionStarted(requestId);
      try {
        const accountId = parseInput(accountIdField, sentAccount);
        const actor = await authorise(declared, { headerList, requestId, accountId });
        const call = { ip: clientIp(headerList), requestId };
        const parsed = parseInput(declared.input, input);
        const handled = handle(asDeclared<Parameters<typeof handle>[0]>(actor), parsed, call);
        const data = await (actor ? handled.finally(() => afterChange(actor)) : handled);
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
  };
}

/** Casts the actor: whether it is null follows from `declared.access`, which the compiler cannot infer. */
function asDeclared<T>(actor: unknown): T {
  return actor as T;
}
