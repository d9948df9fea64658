import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import { addressForLog } from './address-for-log';
import { log } from './log';
import { beginRequest, endRequest } from './open-requests';

/**
 * Gives every request that reaches this process an id, in its headers and in X-Request-Id of its answer, and writes a
 * line when it has ended: id, method, route, status, milliseconds, who asked, and the caller's network address. `aborted` is one whose caller left.
 * Files of the build are left out; what asks for our health is told at level debug.
 * @param patternOf see routePatterns()
 */
export function logRequests(patternOf: (path: string) => string | null): void {
  // Node.js publishes here before anybody handles the request ("Diagnostics Channel", HTTP).
  subscribe('http.server.request.start', (message) => {
    const { request, response } = Object(message);
    if (!(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) return;
    const [path = ''] = (request.url ?? '').split('?');
    if (path.startsWith('/_next/')) return;
    const requestId = beginRequest(response);
    const startedAt = performance.now();
    request.headers['x-request-id'] = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
      const route = patternOf(path);
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      const aborted = response.writableFinished ? undefined : true;
      const level = route?.startsWith('/api/health') ? 'debug' : 'info';
      const actorId = endRequest(requestId);
      log()[level](
        {
          requestId,
          method: request.method,
          route,
          status: response.statusCode,
          aborted,
          ms,
          actorId,
          ip: addressForLog(request),
        },
        'request',
      );
    });
  });
}
