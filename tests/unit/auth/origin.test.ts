import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/errors';
import { requireSameOrigin } from '@/lib/platform/http/origin';

const appUrl = 'https://links.example.com';

/** Whether the request is allowed. */
function passes(
  method: string,
  { site, origin, hasSessionCookie = true }: { site?: string; origin?: string; hasSessionCookie?: boolean },
): boolean {
  const headers = new Headers({ ...(site && { 'sec-fetch-site': site }), ...(origin && { origin }) });
  try {
    requireSameOrigin({ method, headers, hasSessionCookie, appUrl });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'forbidden', status: 403 });
    return false;
  }
}

describe('requireSameOrigin', () => {
  it("allows requests of the app's own pages", () => {
    expect(passes('POST', { site: 'same-origin' })).toBe(true);
    expect(passes('POST', { site: 'same-origin', origin: appUrl })).toBe(true);
    expect(passes('POST', { origin: appUrl })).toBe(true);
  });

  it('allows every read request', () => {
    for (const method of ['GET', 'HEAD']) expect(passes(method, { site: 'cross-site' })).toBe(true);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('refuses %s from another origin, with or without a session', (method) => {
    for (const hasSessionCookie of [true, false]) {
      for (const site of ['cross-site', 'same-site', 'none']) {
        expect(passes(method, { site, hasSessionCookie })).toBe(false);
        // Sec-Fetch-Site takes precedence over a matching Origin.
        expect(passes(method, { site, origin: appUrl, hasSessionCookie })).toBe(false);
      }
      for (const origin of ['null', 'https://evil.example', 'http://links.example.com', `${appUrl}.evil.example`]) {
        expect(passes(method, { origin, hasSessionCookie })).toBe(false);
      }
    }
  });

  it('requires an origin with a cookie, and none from a client without one', () => {
    expect(passes('POST', { hasSessionCookie: true })).toBe(false);
    expect(passes('POST', { hasSessionCookie: false })).toBe(true);
  });

  it('treats every other origin as foreign', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['http', 'https'] }), (url) => {
        const { origin } = new URL(url);
        expect(passes('POST', { origin })).toBe(origin === appUrl);
      }),
    );
  });
});
