import { isDatabaseUnavailable, isQueryCanceled } from '@/db/database-errors';
import { log } from './log';
import { hasNoStartedAction, respondUnavailable } from './open-requests';

type FailedRequest = { method: string; headers: Record<string, string | string[] | undefined> };
type FailedRoute = { routePath: string; routeType: string };

/**
 * Logs an error that Next.js handled: of a page, or outside `route()` and `action()`. The digest is the reference shown
 * to the user. A server action call that Next.js could not parse, or that came from another site, is a client error
 * that anyone can cause, and is logged in one line without a stack.
 */
export function logRequestError(
  thrown: unknown,
  { method, headers }: FailedRequest,
  { routePath: route, routeType }: FailedRoute,
): void {
  if (!(thrown instanceof Error) || !('digest' in thrown)) return;
  const requestId = String(headers['x-request-id'] ?? '');
  if (isDatabaseUnavailable(thrown) || isQueryCanceled(thrown)) respondUnavailable(requestId);
  else if (routeType === 'action' && hasNoStartedAction(requestId)) {
    log().warn(
      { requestId, method, route, reason: thrown.message },
      'A call of a server action was refused before it was read.',
    );
    return;
  }
  log().error({ requestId, method, route, digest: thrown.digest, err: thrown }, 'A page failed.');
}
