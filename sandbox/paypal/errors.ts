import { randomBytes } from 'node:crypto';
import { ApiError } from '@/sandbox/http/api-error';
import { type HttpResponse, json } from '@/sandbox/http/reply';

export type Link = { href: string; rel: string; method?: string };
type Detail = { issue: string; description: string; field?: string; value?: string; location?: string };

/** An error response in PayPal's shape. */
export class PayPalError extends ApiError {
  override readonly name = 'PayPalError';
  constructor(
    status: number,
    readonly code: string,
    message: string,
    readonly details: readonly Detail[] = [],
    readonly links: readonly Link[] = [],
  ) {
    super(status, message);
  }

  override toReply(headers: Record<string, string>): HttpResponse {
    const body = {
      name: this.code,
      message: this.message,
      debug_id: headers['paypal-debug-id'] ?? randomBytes(6).toString('hex'),
      ...(this.details.length > 0 && { details: this.details }),
      links: this.links,
    };
    return json(this.status, body, headers);
  }
}

/** 401 of the token endpoint and of requests without a valid token, in OAuth's shape. */
export class OAuthError extends ApiError {
  override readonly name = 'OAuthError';
  constructor(
    readonly code: 'invalid_client' | 'invalid_token' | 'unsupported_grant_type',
    message: string,
  ) {
    super(code === 'unsupported_grant_type' ? 400 : 401, message);
  }

  override toReply(headers: Record<string, string>): HttpResponse {
    return json(this.status, { error: this.code, error_description: this.message }, headers);
  }
}

/** Creates a 400 for an invalid body. @param field JSON pointer */
export function invalidRequest(field: string, issue: string, description: string): PayPalError {
  return new PayPalError(
    400,
    'INVALID_REQUEST',
    'Request is not well-formed, syntactically incorrect, or violates schema.',
    [{ field, location: 'body', issue, description }],
  );
}

/** Creates a 422 for a request that conflicts with the object's state. */
export function unprocessable(issue: string, description: string, links: readonly Link[] = []): PayPalError {
  return new PayPalError(
    422,
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
    [{ issue, description }],
    links,
  );
}

const capturesForbidden = new Set([
  'CONSENT_NEEDED',
  'NOT_ELIGIBLE_FOR_TOKEN_PROCESSING',
  'PERMISSION_DENIED',
  'PERMISSION_DENIED_FOR_DONATION_ITEMS',
]);

/** Creates the refusal of a capture with any issue of `orders.capture-403` or `orders.capture-422`. */
export function captureRefused(issue: string, links: readonly Link[]): PayPalError {
  const description = `The sandbox refuses the capture with ${issue}, as configured.`;
  const information = {
    href: `https://developer.paypal.com/api/rest/reference/orders/v2/errors/#${issue}`,
    rel: 'information_link',
    method: 'GET',
  };
  if (!capturesForbidden.has(issue)) return unprocessable(issue, description, [information, ...links]);
  const message = 'Authorization failed due to insufficient permissions.';
  return new PayPalError(403, 'NOT_AUTHORIZED', message, [{ issue, description }], [information]);
}

/** Creates a 404 for an unknown object. */
export function notFound(what: string): PayPalError {
  return new PayPalError(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.', [
    { issue: 'INVALID_RESOURCE_ID', description: `No ${what} with this ID exists.` },
  ]);
}
