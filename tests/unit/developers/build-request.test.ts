import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRequest } from '@/app/developers/_components/try-it';

const parameters = [
  { name: 'id', place: 'path', required: true },
  { name: 'limit', place: 'query', required: false },
  { name: 'Idempotency-Key', place: 'header', required: false },
] as const;
const build = (fields: Record<string, string>) =>
  buildRequest({ method: 'POST', path: '/api/orders/{id}/approve', parameters }, (name) => fields[name] ?? '');

describe('a request of the console', () => {
  it('has the given parameters in their places, and omits empty ones', () => {
    const { url, init } = build({ 'path id': '7', 'query limit': ' ', 'header Idempotency-Key': 'k', body: '{}' });
    expect(url).toBe('/api/orders/7/approve');
    expect([...new Headers(init.headers)]).toEqual([
      ['content-type', 'application/json'],
      ['idempotency-key', 'k'],
    ]);
    expect(init).toMatchObject({ method: 'POST', body: '{}', credentials: 'same-origin' });
    expect(build({ 'path id': '7', 'query limit': '5' }).url).toBe('/api/orders/7/approve?limit=5');
  });

  it('has either the session or the token, never both', () => {
    const { init } = build({ 'path id': '7', token: 'lm_secret' });
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer lm_secret');
    expect(init.credentials).toBe('omit');
  });

  it('stays at the address of its operation, whatever the path parameter contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        const { url } = build({ 'path id': id });
        const parsed = new URL(url, 'https://links.example.com');
        expect(parsed.origin).toBe('https://links.example.com');
        expect(url).toMatch(/^\/api\/orders\/[^/?#]+\/approve$/);
      }),
    );
  });
});
