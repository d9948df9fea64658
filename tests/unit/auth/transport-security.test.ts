import { NextRequest } from 'next/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { middleware } from '@/middleware';

afterEach(() => vi.unstubAllEnvs());

const answer = (path: string, appUrl: string, headers: Record<string, string> = {}) => {
  vi.stubEnv('APP_URL', appUrl);
  return middleware(new NextRequest(`http://127.0.0.1:3000${path}`, { headers })).headers;
};

describe('Strict-Transport-Security', () => {
  it.each(['/user/login', '/dashboard'])('is sent on %s when APP_URL is https, whatever the proxy reports', (path) => {
    expect(answer(path, 'https://links.example.com').get('strict-transport-security')).toMatch(/^max-age=31536000/);
  });

  it('is never sent when APP_URL is http, whatever the caller sends', () => {
    const headers = answer('/user/login', 'http://localhost:3000', { 'x-forwarded-proto': 'https' });
    expect(headers.get('strict-transport-security')).toBeNull();
  });
});
