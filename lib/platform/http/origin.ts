import { AppError } from '../../errors';

type OriginCheck = {
  method: string;
  headers: Pick<Headers, 'get'>;
  /** Whether the request carries a session cookie and no bearer token. */
  hasSessionCookie: boolean;
  appUrl: string;
};

/**
 * Rejects state-changing cross-site requests (CSRF). With a session cookie the request must prove the same origin.
 * Without one, a request that a browser marks as cross-site is rejected too, which prevents login CSRF. Requests with a
 * bearer token and signed webhooks are not checked here.
 * @throws AppError forbidden
 */
export function requireSameOrigin({ method, headers, hasSessionCookie, appUrl }: OriginCheck): void {
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isSame = site !== null ? site === 'same-origin' : origin === new URL(appUrl).origin;
  if (isSame) return;
  const hasNoOriginHeaders = site === null && origin === null;
  if (hasNoOriginHeaders && !hasSessionCookie) return;
  const expected = new URL(appUrl).origin;
  throw new AppError('forbidden', `This request did not come from a page at ${expected}, so it was refused.`);
}
