import type { HttpResponse } from './reply';

/** An error response of a provider's API; the shape depends on the provider. */
export abstract class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  /** Returns the response in the provider's shape. */
  abstract toReply(headers: Record<string, string>): HttpResponse;
}
