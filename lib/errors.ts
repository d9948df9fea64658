/** What can go wrong, by name; each has exactly one HTTP status. */
export const errorStatus = {
  invalid_input: 400,
  unauthenticated: 401,
  insufficient_funds: 402,
  forbidden: 403,
  reauthentication_required: 403,
  two_step_required: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  rate_limited: 429,
  internal: 500,
  provider_failed: 502,
  not_configured: 503,
  unavailable: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export type ErrorDetails = {
  /** Messages by field name, shown under the fields of a form. */
  fields?: Record<string, string>;
  /** Where the person can go to mend it, e.g. the top-up with the missing amount. */
  url?: string;
  /** Seconds until another try makes sense; becomes Retry-After. */
  retryAfterSeconds?: number;
};

/**
 * The one error a verb throws on purpose. `message` is read by a person: what happened and what to do.
 * `route()` and `action()` are the only places that catch it.
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
