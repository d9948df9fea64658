export type HttpResponse = {
  status: number;
  headers: Record<string, string>;
  /** A Buffer for files, otherwise a string. */
  body: string | Buffer;
  /** How long the response is held back, while its client waits. */
  delayMs?: number;
};

/** A handler's result; `hang-up` closes the connection without a response, like an unavailable provider. */
export type Reply = HttpResponse | 'hang-up';

const noStore = { 'cache-control': 'no-store' };

/**
 * Mails in the inbox may contain styles and images but no scripts; frames inherit this policy. It has no form-action,
 * because browsers also apply it to the redirect after the Pay form, which leads to the shop.
 */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: http: https:; frame-src 'self'; frame-ancestors 'none'";

/** Creates a JSON response. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...noStore, ...headers },
    body: JSON.stringify(value),
  };
}

/** Creates an HTML response; page functions have escaped every value in `markup`. */
export function html(status: number, markup: string, headers: Record<string, string> = {}): HttpResponse {
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

/** Creates a 303 redirect: the browser continues with a GET, so that a reload does not repeat the POST. */
export function seeOther(location: string): HttpResponse {
  return { status: 303, headers: { location, ...noStore }, body: '' };
}
