import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { testPassword } from '../factories/make-account';

const parsedUrl = z.url().safeParse(process.env.TEST_APP_URL);
if (!parsedUrl.success) throw new Error('TEST_APP_URL is not set: run these tests with npm test -- api');
/** Where the app under test runs. */
export const appUrl = parsedUrl.data.replace(/\/$/, '');

export type Answer = { status: number; headers: Headers; body: unknown };
type RequestOptions = { method?: string; body?: unknown; headers?: Record<string, string> };
export type Portal = 'user' | 'admin' | 'seller';

/**
 * A caller with a cookie jar, as a page of ours in a browser: its changes carry our Origin. Follows no redirect. Each
 * comes from a network address of its own, so that the limits on one test's failures do not meet another's.
 * @param at where it is sent, for another instance of the same installation
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
    /** Where it seems to call from. */
    address,
    get: (path: string, headers?: Record<string, string>) => request(path, { headers }),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      request(path, { method: 'POST', body, headers }),
    signIn: (portal: Portal, email: string, password = testPassword) =>
      request(`/api/${portal}/auth/login`, { method: 'POST', body: { email, password } }),
    /** "name=value" of the session, or '' for nobody. */
    cookie: () => jar,
  };
}

/** The session cookie an answer sets, as "name=value"; null when it sets none. */
export function sessionCookieOf(headers: Headers): string | null {
  const line = headers.getSetCookie().find((candidate) => candidate.includes('linkmarket.session'));
  return line?.split(';')[0] ?? null;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}
