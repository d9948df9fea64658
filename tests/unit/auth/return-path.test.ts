import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getReturnPath, limitReturnPath } from '@/lib/auth/portals';

const origin = 'https://links.example.com';
const homes = ['/user', '/dashboard', '/seller'] as const;

/** Known open-redirect payloads, and ordinary path segments. */
const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '\\',
    '/\\',
    '..',
    '.',
    '%2e%2e',
    '%2f',
    '%5c',
    '@',
    ':',
    '?',
    '#',
    '&',
    '=',
    ';',
    '\t',
    '\n',
  ),
  fc.constantFrom(
    '/user',
    '/user/',
    '/dashboard/',
    '/seller/',
    'http:',
    'https://',
    'javascript:',
    'evil.example',
    'a b',
  ),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.webUrl(),
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.tuple(fc.constantFrom(...homes), fc.array(piece, { maxLength: 6 })).map(([home, rest]) => home + rest.join('')),
);

describe('getReturnPath', () => {
  it('never leaves the origin or the portal, for any input', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom(...homes), (next, home) => {
        const answer = getReturnPath(next, home);
        // As a browser resolves it, from any page.
        const opened = new URL(answer, `${origin}/user/login`);
        expect(opened.origin).toBe(origin);
        expect(opened.pathname === home || opened.pathname.startsWith(`${home}/`)).toBe(true);
        expect(answer.startsWith('/')).toBe(true);
        expect(answer.startsWith('//')).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  it('allows paths of other portals when configured, but never another origin', () => {
    expect(getReturnPath('/seller/my-sites?q=a', '/user', homes)).toBe('/seller/my-sites?q=a');
    expect(getReturnPath('/dashboard', '/user', homes)).toBe('/dashboard');
    fc.assert(
      fc.property(anything, (next) => {
        const opened = new URL(getReturnPath(next, '/user', homes), `${origin}/user/login`);
        expect(opened.origin).toBe(origin);
        expect(homes.some((home) => opened.pathname === home || opened.pathname.startsWith(`${home}/`))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(anything, (next) => {
        const once = getReturnPath(next, '/user');
        expect(getReturnPath(once, '/user')).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['/user', '/user/orders?page=2&q=a%20b', '/user/wallet?topup=12.00#history', '/user/orders/12'])(
    'keeps %s',
    (path) => {
      expect(getReturnPath(path, '/user')).toBe(path);
    },
  );

  it.each([
    undefined,
    null,
    '',
    'user/orders',
    '/',
    '/users',
    '/dashboard',
    '//evil.example/user',
    '/\\evil.example',
    'https://evil.example/user',
    'javascript:alert(1)',
    '/user/../dashboard',
    '/user/%2e%2e/dashboard',
    '/user\n/orders',
  ])('replaces %j with the fallback', (path) => {
    expect(getReturnPath(path, '/user')).toBe('/user');
  });

  it('loses a query that a Location header could not hold, and is empty when the path alone is too long', () => {
    const long = '%C3%A9'.repeat(400);
    expect(['/user?q=a', `/user?q=${long}`, `/user/${long}`].map(limitReturnPath)).toEqual(['/user?q=a', '/user', '']);
  });
});
