import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { testPassword } from '@/tests/factories/make-account';

const parsedUrl = z.url().safeParse(process.env.TEST_APP_URL);
if (!parsedUrl.success) throw new Error('TEST_APP_URL is not set: run these tests with npm test -- api');
/** The origin of the app under test. */
export const appUrl = parsedUrl.data.replace(/\/$/, '');

export type Answer = { status: number; headers: Headers; body: unknown };
type RequestOptions = { method?: string; body?: unknown; headers?: Record<string, string> };
export type Portal = 'user' | 'admin' | 'seller';

/**
 * A client with a cookie jar that behaves as a page of this app in a browser: its changes carry the app's Origin. It
 * does not follow redirects. Each client has a different IP address, so that rate limits do not affect other tests.
 * @param at the origin, for another instance of the same installation
 */
export function openClient(cookie = '', at = appUrl) {
  let jar = cookie;
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const request = async (
    path: string,
    { method = 'GET', body, headers = {} }: RequestOptions = {},
  ): Promise<Answer> => {
    const response = await fetch(`${at}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': address,
        ...(jar && { cookie: jar }),
        ...(method !== 'GET' && { origin: new URL(appUrl).origin }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const set = sessionCookieOf(response.headers);
    if (set !== null) jar = set.endsWith('=') ? '' : set;
    return { status: response.status, headers: response.headers, body: await readBody(response) };
  };
  return {
    request,
    address,
    get: (path: string, headers?: Record<string, string>) => request(path, { headers }),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      request(path, { method: 'POST', body, headers }),
    signIn: (portal: Portal, email: string, password = testPassword) =>
      request(`/api/${portal}/auth/login`, { method: 'POST', body: { email, password } }),
    /** "name=value" of the session cookie, or '' without a session. */
    cookie: () => jar,
  };
}

/** The session cookie that a response sets, as "name=value"; null when it sets none. */
export function sessionCookieOf(headers: Headers): string | null {
  const line = headers.getSetCookie().find((candidate) => candidate.includes('linkmarket.session'));
  return line?.split(';')[0] ?? null;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}
