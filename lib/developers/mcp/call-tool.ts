import type { CallToolResult } from '@modelcontextprotocol/server';
import { NextRequest } from 'next/server';
import { z } from 'zod';
import { env } from '@/lib/env';
import { clientIpHeader } from '@/lib/platform/http/client-ip';
import type { RouteHandler } from '@/lib/platform/openapi/document';
import type { Tool } from './describe-tool';
import { readArguments } from './read-arguments';

/** The headers of a request that say who makes it and from where. A call of a route has the same. */
const callerHeaders = [
  ...['authorization', 'cookie', 'x-account', 'origin', 'sec-fetch-site', 'user-agent'],
  ...['x-request-id', 'x-forwarded-for', clientIpHeader],
];

type RouteCall = {
  method: string;
  /** With parameters in brackets. */
  path: string;
  params?: Record<string, string>;
  /** The items of a list are sent as one parameter each. */
  query?: Record<string, string | readonly string[]>;
  body?: Record<string, unknown>;
  idempotencyKey?: string | undefined;
};

export type RouteAnswer = { status: number; headers: Headers; body: unknown };

/**
 * Calls a route of the API in this process, with the credentials of the original request. The route checks access, scopes,
 * limits and input as for any request.
 */
export async function callRoute(handler: RouteHandler, original: NextRequest, call: RouteCall): Promise<RouteAnswer> {
  const { method, path, params = {}, query = {}, body, idempotencyKey } = call;
  const url = new URL(
    path.replace(/\[(\w+)\]/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    env().APP_URL,
  );
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) url.searchParams.append(name, item);
  const headers = new Headers();
  for (const name of callerHeaders) {
    const value = original.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  if (method !== 'GET') headers.set('content-type', 'application/json');
  const request = new NextRequest(url, {
    method,
    headers,
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  });
  const response = await handler(request, { params: Promise.resolve(params) });
  return { status: response.status, headers: response.headers, body: parseJson(await response.text()) };
}

function parseJson(text: string): unknown {
  return text === '' ? {} : JSON.parse(text);
}

/** Calls the route of a tool. Refusals of the API become results with `isError` and the text of the error. */
export async function callTool(
  tool: Tool,
  original: NextRequest,
  args: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const unknown = Object.keys(args).filter((name) => !tool.places.has(name));
  if (unknown.length > 0) {
    return failure(`Unknown argument: ${unknown.join(', ')}. Known are: ${[...tool.places.keys()].join(', ')}.`);
  }
  const read = readArguments(tool, args);
  if ('refusal' in read) return failure(read.refusal);
  const { declared } = tool;
  const limit = read.values.limit ?? declared.page?.default;
  if (declared.page && typeof limit === 'number' && limit > declared.page.max)
    return failure(`limit: Use at most ${declared.page.max}.`);
  const params: Record<string, string> = {};
  const query: Record<string, string | readonly string[]> = { ...declared.fixed };
  const body: Record<string, unknown> = { ...declared.defaults };
  let idempotencyKey: string | undefined;
  for (const [field, place] of tool.places) {
    const value = field === 'limit' ? limit : read.values[field];
    if (value === undefined) continue;
    if (place.in === 'body') body[place.name] = value;
    else if (place.in === 'header') idempotencyKey = toText(value);
    else if (place.in === 'path') params[place.name] = toText(value);
    else query[place.name] = place.isRepeated && Array.isArray(value) ? value.map(toText) : toText(value);
  }
  const { method, path } = tool;
  const answer = await callRoute(tool.handler, original, { method, path, params, query, body, idempotencyKey });
  return answer.status < 400 ? success(answer) : failure(describeError(answer.body));
}

/** Formats a value of a URL or header; a list has commas between its items. */
const toText = (value: unknown): string => String(value);

function success({ body, headers }: RouteAnswer): CallToolResult {
  const structuredContent = toObject(body, headers);
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

const record = z.record(z.string(), z.unknown());

function toObject(body: unknown, headers: Headers): Record<string, unknown> {
  if (!Array.isArray(body)) return record.parse(body);
  const [total, nextCursor] = [headers.get('x-total-count'), headers.get('x-next-cursor')];
  return { items: body, ...(total !== null && { total: Number(total) }), ...(nextCursor && { nextCursor }) };
}

const errorBody = z.object({
  error: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  url: z.string().optional(),
});

/**
 * Formats an error of the API: its message, the messages of its fields with their names, and the address where it can be
 * resolved. A message that is the one of a field is named too, because the API's sentences do not name their field.
 */
export function describeError(body: unknown): string {
  const { error, fields = {}, url } = errorBody.parse(body);
  const named = Object.entries(fields).map(([field, message]) => (field === '' ? message : `${field}: ${message}`));
  return [
    ...(Object.values(fields).includes(error) ? [] : [error]),
    ...named.filter((text) => !error.includes(text) || text === error),
    ...(url ? [`The person can resolve this at ${new URL(url, env().APP_URL)}`] : []),
  ].join('\n');
}

const failure = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });
