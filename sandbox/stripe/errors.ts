import { ApiError } from '../http/api-error';
import { type Answer, json } from '../http/reply';

type ErrorBody = { type: string; message: string; code?: string; param?: string };

/** An answer in the shape of Stripe's errors, from which the SDK makes its own error classes. */
export class StripeError extends ApiError {
  override readonly name = 'StripeError';
  constructor(
    status: number,
    readonly body: ErrorBody,
  ) {
    super(status, body.message);
  }

  override toReply(headers: Record<string, string>): Answer {
    return json(this.status, { error: this.body }, headers);
  }
}

/** 400 for a parameter that is missing or wrong. @param param in Stripe's bracket notation */
export function invalidParam(message: string, param: string, code?: string): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, param, ...(code && { code }) });
}

/** 400 for a call that does not fit the state of the object. */
export function invalidState(message: string): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message });
}

/** 404 for an object that does not exist. */
export function noSuch(object: string, id: string): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${object}: '${id}'`,
    param: 'id',
  });
}
