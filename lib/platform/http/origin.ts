import { AppError } from '../../errors';

type OriginFacts = {
  method: string;
  headers: Pick<Headers, 'get'>;
  /** Does the request carry a session cookie (and no bearer token)? */
  hasSessionCookie: boolean;
  appUrl: string;
};

/**
 * Refuses state-changing requests another site made a browser send (decision 5): with a session cookie there must be
 * proof of the same origin; without one, a browser that says "another site" is refused as well, so that nobody is
 * signed in to a stranger's account. Bearer calls and signed webhooks do not come here.
 * @throws AppError forbidden
 */
export function requireSameOrigin({ method, headers, hasSessionCookie, appUrl }: OriginFacts): void {
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isSame = site !== null ? site === 'same-origin' : origin === new URL(appUrl).origin;
  if (isSame) return;
  const saysNothing = site === null && origin === null;
  if (saysNothing && !hasSessionCookie) return;
  const expected = new URL(appUrl).origin;
  throw new AppError('forbidden', `This request did not come from our own pages at ${expected}, so it was refused.`);
}
