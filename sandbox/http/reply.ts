/** `body` is bytes for a file, text for everything else. */
export type Answer = { status: number; headers: Record<string, string>; body: string | Buffer };

/** What a handler answers; `hang-up` closes the connection without a byte, as a provider that is down does. */
export type Reply = Answer | 'hang-up';

const noStore = { 'cache-control': 'no-store' };

/**
 * Mail shown in the inbox may carry styles and pictures, never scripts; a frame inherits this policy.
 * There is no form-action: browsers apply it to the redirect that follows the Pay form too, which leads to the shop.
 */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: http: https:; frame-src 'self'; frame-ancestors 'none'";

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...noStore, ...headers },
    body: JSON.stringify(value),
  };
}

/** A page; `markup` comes from a page function, which has escaped every value in it. */
export function html(status: number, markup: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      ...noStore,
      ...headers,
    },
    body: markup,
  };
}

/** 303: the browser goes on with a GET, so that reloading the next page never posts again. */
export function seeOther(location: string): Answer {
  return { status: 303, headers: { location, ...noStore }, body: '' };
}
