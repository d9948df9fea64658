import { NextRequest } from 'next/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { middleware } from '@/middleware';

afterEach(() => vi.unstubAllEnvs());

const answer = async (path: string, appUrl: string, headers: Record<string, string> = {}) => {
  vi.stubEnv('APP_URL', appUrl);
  return (await middleware(new NextRequest(`http://127.0.0.1:3000${path}`, { headers }))).headers;
};

describe('Content-Security-Policy', () => {
  it.each([
    [{}, "connect-src 'self';"],
    [{ S3_ENDPOINT: 'https://s3.example.com:9000/path', S3_BUCKET: 'files' }, "connect-src 'self';"],
    [
      { S3_ENDPOINT: 'https://s3.example.com:9000/path', S3_BUCKET: 'files', S3_DIRECT_UPLOADS: 'on' },
      "connect-src 'self' https://s3.example.com:9000;",
    ],
    [
      { S3_ENDPOINT: 'https://s3.example.com', S3_BUCKET: 'files', VERCEL: '1' },
      "connect-src 'self' https://s3.example.com;",
    ],
  ])('allows requests to the bucket only with direct uploads: %j', async (values, expected) => {
    for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
    const headers = await answer('/user/login', 'https://links.example.com');
    expect(headers.get('content-security-policy')).toContain(expected);
  });
});

describe('Strict-Transport-Security', () => {
  it.each(['/user/login', '/dashboard'])(
    'is sent on %s when APP_URL is https, whatever the proxy reports',
    async (path) => {
      const headers = await answer(path, 'https://links.example.com');
      expect(headers.get('strict-transport-security')).toMatch(/^max-age=31536000/);
    },
  );

  it('is never sent when APP_URL is http, whatever the caller sends', async () => {
    const headers = await answer('/user/login', 'http://localhost:3000', { 'x-forwarded-proto': 'https' });
    expect(headers.get('strict-transport-security')).toBeNull();
  });
});
