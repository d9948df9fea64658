import { createRequire } from 'node:module';
import { NextRequest, NextResponse } from 'next/server';
import { vi } from 'vitest';
import { setClientIp } from '@/lib/platform/http/client-ip';

/**
 * Lets a test call our handlers and actions without a running app: it stands for the request that Next.js would be in
 * the middle of. A test file begins with
 * `vi.mock('next/headers', async () => (await import('../setup/request-scope')).nextHeaders)`.
 */
let scope = openScope(new NextRequest('http://localhost:3000/'));

function openScope(request: NextRequest) {
  const answer = new NextResponse();
  const { cookies: sent } = request;
  const { cookies: set } = answer;
  return {
    headers: request.headers,
    answer,
    jar: {
      get: (name: string) => set.get(name) ?? sent.get(name),
      has: (name: string) => set.has(name) || sent.has(name),
      getAll: () => [...sent.getAll(), ...set.getAll()],
      set: set.set.bind(set),
      delete: set.delete.bind(set),
    },
  };
}

export const nextHeaders = { headers: async () => scope.headers, cookies: async () => scope.jar };

// next-auth requires the module instead of importing it, so a mock does not reach it.
const required: Record<'headers' | 'cookies', () => Promise<unknown>> = createRequire(import.meta.url)('next/headers');
vi.spyOn(required, 'headers').mockImplementation(nextHeaders.headers);
vi.spyOn(required, 'cookies').mockImplementation(nextHeaders.cookies);

type Handler = (
  request: NextRequest,
  context: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>;
type Sent = {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  params?: Record<string, string | string[]>;
};

/** The headers as the server has them for a request that a proxy on this machine passes on. */
function asArrived(headers: Record<string, string> = {}): Record<string, string> {
  const arrived = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  setClientIp(arrived, '127.0.0.1');
  return arrived;
}

/**
 * Calls a route handler as Next.js would.
 * @returns its answer, with the cookies it set as an answer over HTTP carries them
 */
export async function callHandler(
  handler: Handler,
  url: string,
  { method = 'GET', headers, body, params = {} }: Sent = {},
) {
  const text = body === undefined ? null : JSON.stringify(body);
  const request = new NextRequest(url, { method, headers: asArrived(headers), body: text });
  scope = openScope(request);
  const answer = await handler(request, { params: Promise.resolve(params) });
  const setCookies = [...scope.answer.headers.getSetCookie(), ...answer.headers.getSetCookie()];
  const content = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const read: unknown = isJson ? JSON.parse(content) : content;
  return { status: answer.status, headers: answer.headers, setCookies, body: read };
}

/** Runs something, e.g. a server action, as in a request with these headers. */
export async function inRequest<T>(headers: Record<string, string>, work: () => Promise<T>): Promise<T> {
  scope = openScope(new NextRequest('http://localhost:3000/', { method: 'POST', headers: asArrived(headers) }));
  return work();
}
