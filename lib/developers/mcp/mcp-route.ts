import 'server-only';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { NextRequest } from 'next/server';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { env } from '@/lib/env';
import { requireSameOrigin } from '@/lib/platform/http/origin';
import type { RouteContext } from '@/lib/platform/http/route';
import { log } from '@/lib/platform/log/log';
import type { RouteModules } from '@/lib/platform/openapi/document';
import { errorResponse } from '@/lib/platform/openapi/operation';
import { requireFlag } from '@/lib/settings/feature-flags';
import { getMetadataUrl } from './protected-resource';
import { createMcpServer } from './server';

/** A request or a notification. A server without sessions sends no requests, so that no client answers any. */
const message = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional().describe('Absent in a notification.'),
  method: z.string().describe('`tools/list`, `tools/call`, `resources/read`, …'),
  params: z.record(z.string(), z.unknown()).optional(),
});

const answer = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).nullish(),
    result: z.unknown().optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .meta({ title: 'JsonRpcResponse' });

/**
 * Creates the route of the MCP server: Streamable HTTP without sessions. Each request has its own server, so that no state
 * remains and every instance can answer.
 * @param getModules returns the routes of the API, which the tools call
 */
export function createMcpRoute(getModules: () => Promise<RouteModules>) {
  const answerMessage = route(
    {
      access: 'session',
      scope: 'read',
      summary: 'Answers a message of the Model Context Protocol (Streamable HTTP, without sessions).',
      description:
        'One JSON-RPC message in a request; batches are refused. Set-up and tools: docs/mcp.md. A tool call needs the scopes of the address that it runs, and counts as a further request.',
      body: message,
      response: { mediaTypes: ['text/event-stream'], orJson: answer },
      acknowledges: 'A notification was accepted.',
      errors: ['not_configured', 'not_found', 'rate_limited'],
      errorShape: z.union([errorResponse, answer]),
    },
    async ({ actor, body, request, requestId }) => {
      // Also with a bearer token: a page of another site that resolves to this server must not call it.
      requireSameOrigin({
        method: request.method,
        headers: request.headers,
        hasSessionCookie: false,
        appUrl: env().APP_URL,
      });
      await requireFlag('mcp');
      const modules = await getModules();
      const handler = createMcpHandler(() => createMcpServer({ actor, request, requestId, modules }), {
        onerror: (error) => log().info({ requestId, err: error }, 'The MCP server refused a message.'),
        // Nothing is ever announced, so that an open stream would be idle.
        maxSubscriptions: 0,
      });
      return handler.fetch(toProtocolRequest(request), { parsedBody: body });
    },
  );
  const handler = async (request: NextRequest, context: RouteContext): Promise<Response> => {
    const response = await answerMessage(request, context);
    if (response.status === 401) response.headers.set('WWW-Authenticate', createChallenge(response.headers));
    return response;
  };
  return Object.assign(handler, { declaration: answerMessage.declaration });
}

/** Copies a request whose body was read. Clients that omit the media types are answered too: there is no other. */
function toProtocolRequest(request: NextRequest): Request {
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  headers.set('accept', 'application/json, text/event-stream');
  headers.set('content-type', 'application/json');
  return new Request(request.url, { method: 'POST', headers, body: '{}', signal: request.signal });
}

/** Creates the challenge of RFC 9728, section 5.1. */
function createChallenge(headers: Headers): string {
  const isInvalid = headers.get('www-authenticate')?.includes('invalid_token');
  return `Bearer ${isInvalid ? 'error="invalid_token", ' : ''}resource_metadata="${getMetadataUrl()}"`;
}
