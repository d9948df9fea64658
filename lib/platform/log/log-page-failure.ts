import { isDatabaseUnavailable, isQueryCanceled } from '@/db/database-errors';
import { log } from './log';
import { answerUnavailable, isWithoutAction } from './open-requests';

type FailedRequest = { method: string; headers: Record<string, string | string[] | undefined> };
type FailedRoute = { routePath: string; routeType: string };

/**
 * A failure that Next.js answered: of a page, or of what no `route()` and no `action()` caught. The digest is the
 * reference that the person was shown. A call of a server action that Next.js could not read, or that another site made,
 * is the caller's failure, and anybody can send many: one line without a stack.
 */
export function logPageFailure(
  thrown: unknown,
  { method, headers }: FailedRequest,
  { routePath: route, routeType }: FailedRoute,
): void {
  if (!(thrown instanceof Error) || !('digest' in thrown)) return;
  const requestId = String(headers['x-request-id'] ?? '');
  if (isDatabaseUnavailable(thrown) || isQueryCanceled(thrown)) answerUnavailable(requestId);
  else if (routeType === 'action' && isWithoutAction(requestId)) {
    log().warn({ requestId, method, route, reason: thrown.message }, 'A call of a server action was refused unread.');
    return;
  }
  log().error({ requestId, method, route, digest: thrown.digest, err: thrown }, 'A page failed.');
}
