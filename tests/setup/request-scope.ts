import { createRequire } from 'node:module';
import { NextRequest, NextResponse } from 'next/server';
import { vi } from 'vitest';
import { setClientIp } from '@/lib/platform/http/client-ip';

/**
 * Calls route handlers and actions without a running app: it provides the request context that Next.js would. A test
 * file begins with
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

// next-auth loads the module by `require`, which a mock does not intercept.
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

/** The headers as the server receives them through a proxy on this machine. */
function asArrived(headers: Record<string, string> = {}): Record<string, string> {
  const arrived = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  setClientIp(arrived, '127.0.0.1');
  return arrived;
}

/**
 * Calls a route handler as Next.js does.
 * @returns its response, with the cookies that it set as headers
 */
export async function callHandler(
  handler: Handler,
  url: string,
  { method = 'GET', headers, body, params = {} }: Sent = {},
) {
  const text = body === undefined ? null : JSON.stringify(body);
  const request = new NextRequest(url, { method, headers: asArrived(headers), body: text });
  scope = openScope(request);
  const operation = new URL(url).pathname.split('/').at(-1);
  const answer = await handler(request, { params: Promise.resolve({ operation, ...params }) });
  const setCookies = [...scope.answer.headers.getSetCookie(), ...answer.headers.getSetCookie()];
  const content = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const read: unknown = isJson ? JSON.parse(content) : content;
  return { status: answer.status, headers: answer.headers, setCookies, body: read };
}

/** Runs a function, e.g. a server action, within a request with these headers. */
export async function inRequest<T>(headers: Record<string, string>, work: () => Promise<T>): Promise<T> {
  scope = openScope(new NextRequest('http://localhost:3000/', { method: 'POST', headers: asArrived(headers) }));
  return work();
}
