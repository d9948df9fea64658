import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/errors';
import { getOwnOrigin, requireSameOrigin } from '@/lib/platform/http/origin';

const appUrl = 'https://links.example.com';

/** Whether the request is allowed. */
function passes(
  method: string,
  {
    site,
    origin,
    hasSessionCookie = true,
    ignoresSession,
  }: { site?: string; origin?: string; hasSessionCookie?: boolean; ignoresSession?: boolean },
): boolean {
  const headers = new Headers({ ...(site && { 'sec-fetch-site': site }), ...(origin && { origin }) });
  try {
    requireSameOrigin({ method, headers, hasSessionCookie, ignoresSession, appUrl });
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

  it('accepts the hidden origin of a page without a referrer where the session is ignored, unless it is cross-site', () => {
    const hidden = { origin: 'null', hasSessionCookie: false, ignoresSession: true };
    expect(passes('POST', hidden)).toBe(true);
    expect(passes('POST', { ...hidden, site: 'same-origin' })).toBe(true);
    expect(passes('POST', { ...hidden, site: 'cross-site' })).toBe(false);
    expect(passes('POST', { ...hidden, ignoresSession: false })).toBe(false);
    expect(passes('POST', { ...hidden, origin: 'https://evil.example' })).toBe(false);
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

describe("the origin of a buyer's page", () => {
  const originOf = (origin: string | null, appUrl = 'http://localhost:3000') =>
    getOwnOrigin(new Headers(origin === null ? {} : { origin }), appUrl);

  it.each(['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://localhost:3000'])('is kept for %s', (origin) =>
    expect(originOf(origin)).toBe(origin),
  );

  it.each([
    null,
    'null',
    '',
    'http://127.0.0.1:3001',
    'https://127.0.0.1:3000',
    'http://evil.example.com:3000',
    'http://127.0.0.1.evil.example.com:3000',
    'http://localhost:3000@evil.example.com',
  ])('is the one of APP_URL for %j', (origin) => expect(originOf(origin)).toBe('http://localhost:3000'));

  it('is the one of APP_URL for every other origin where APP_URL is not this machine', () => {
    for (const origin of ['http://127.0.0.1', 'https://127.0.0.1', 'https://localhost', 'https://evil.example.com'])
      expect(originOf(origin, appUrl)).toBe(appUrl);
  });
});
