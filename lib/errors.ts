/** The error codes; each has exactly one HTTP status. */
export const errorStatus = {
  invalid_input: 400,
  unauthenticated: 401,
  insufficient_funds: 402,
  forbidden: 403,
  reauthentication_required: 403,
  two_step_required: 403,
  view_only: 403,
  not_found: 404,
  conflict: 409,
  duplicate_site: 409,
  billing_incomplete: 409,
  gone: 410,
  too_large: 413,
  unsupported_type: 415,
  unprocessable: 422,
  policy: 422,
  link_not_in_order: 422,
  rate_limited: 429,
  internal: 500,
  provider_failed: 502,
  not_configured: 503,
  unavailable: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The codes that a response names, because the client takes a step before it repeats the request. */
export const resolvableCodes = [
  'reauthentication_required',
  'two_step_required',
  'view_only',
  'duplicate_site',
  'billing_incomplete',
  'link_not_in_order',
  'policy',
] as const;

/** The message of every request without a session, by which a page recognizes that its session has ended. */
export const signedOutMessage = 'Please sign in to continue.';

/**
 * The message of every request for an account of which the user is no member, by which a page recognizes a membership that
 * has ended. The same for an account that does not exist.
 */
export const notMemberMessage = 'You are not a member of an account with this id. GET /api/user/accounts lists yours.';

/** The message of every call of a session that shows another user's portal. */
export const viewOnlyMessage = 'You are viewing another person’s account: nothing can be changed or downloaded.';

/** The page in the error of a change that was sent for approval, by which a screen recognizes it. */
export const approvalsPath = '/dashboard/features/approvals';

type ErrorDetails = {
  /** Messages by field name; a form shows them below its fields. */
  fields?: Record<string, string>;
  /** A page where the user can resolve the error, e.g. the top-up with the missing amount. */
  url?: string;
  /** What the check of a page found that was not delivered. */
  check?: object;
  /** Seconds before the request should be retried; sent as Retry-After. */
  retryAfterSeconds?: number;
};

/**
 * The only error that domain functions throw deliberately. `message` is shown to the user: it says what happened and
 * what to do. Only `route()` and `action()` catch it.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** Resolves to null when the promise rejects with not_found; other errors are thrown. */
export async function nullIfNotFound<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}
