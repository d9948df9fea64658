import { ApiError } from '@/sandbox/http/api-error';
import { type HttpResponse, json } from '@/sandbox/http/reply';

type ErrorBody = { type: string; message: string; code?: string; param?: string };

/** An error response in Stripe's shape, which the SDK converts to its error classes. */
export class StripeError extends ApiError {
  override readonly name = 'StripeError';
  constructor(
    status: number,
    readonly body: ErrorBody,
  ) {
    super(status, body.message);
  }

  override toReply(headers: Record<string, string>): HttpResponse {
    return json(this.status, { error: this.body }, headers);
  }
}

/** Creates a 400 for a missing or invalid parameter. @param param in Stripe's bracket notation */
export function invalidParam(message: string, param: string, code?: string): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, param, ...(code && { code }) });
}

/** Creates a 400 for a request that conflicts with the object's state. */
export function invalidState(message: string): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message });
}

/** Creates a 404 for an unknown object. */
export function noSuch(object: string, id: string): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${object}: '${id}'`,
    param: 'id',
  });
}
