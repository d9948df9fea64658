import { AppError } from '@/lib/errors';
import { isLoopbackHost } from '@/lib/network/addresses';
import { canParseUrl } from '@/lib/network/can-parse-url';

type OriginCheck = {
  method: string;
  headers: Pick<Headers, 'get'>;
  /** Whether the request carries a session cookie and no bearer token. */
  hasSessionCookie: boolean;
  /** Whether the route ignores the session, so that another page could not use it. */
  ignoresSession?: boolean | undefined;
  appUrl: string;
};

/**
 * Rejects state-changing cross-site requests (CSRF). With a session cookie the request must prove the same origin.
 * Without one, a request that a browser marks as cross-site is rejected too, which prevents login CSRF. Requests with a
 * bearer token and signed webhooks are not checked here.
 * @throws AppError forbidden
 */
export function requireSameOrigin({ method, headers, hasSessionCookie, ignoresSession, appUrl }: OriginCheck): void {
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isSame = site !== null ? site === 'same-origin' : origin === new URL(appUrl).origin;
  if (isSame) return;
  // The form of a page that sends no Referer has the origin "null" (app/approve).
  const hasNoOriginHeaders = site === null && (origin === null || (ignoresSession === true && origin === 'null'));
  if (hasNoOriginHeaders && !hasSessionCookie) return;
  const expected = new URL(appUrl).origin;
  throw new AppError('forbidden', `This request did not come from a page at ${expected}, so it was refused.`);
}

/**
 * Returns the origin at which a browser uses this app: the one of APP_URL, or another name of this machine with the same
 * scheme and port (127.0.0.1 in place of localhost), where the browser has another session cookie. Only an APP_URL on
 * this machine has other names; the Origin header of any other request is ignored.
 */
export function getOwnOrigin(headers: Pick<Headers, 'get'>, appUrl: string): string {
  const own = new URL(appUrl);
  const origin = headers.get('origin') ?? '';
  if (!isLoopbackHost(own.hostname) || !canParseUrl(origin)) return own.origin;
  const sent = new URL(origin);
  const isSameMachine = isLoopbackHost(sent.hostname) && sent.protocol === own.protocol && sent.port === own.port;
  return isSameMachine ? sent.origin : own.origin;
}
