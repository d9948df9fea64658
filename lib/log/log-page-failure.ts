import { isDatabaseAway } from '../../db/is-database-away';
import { log } from './log';
import { answerUnavailable } from './open-requests';

type FailedRequest = { method: string; headers: Record<string, string | string[] | undefined> };

/**
 * A failure that Next.js answered: of a page, or of what no `route()` and no `action()` caught. The digest is the
 * reference that the person was shown.
 */
export function logPageFailure(thrown: unknown, { method, headers }: FailedRequest, route: string): void {
  if (!(thrown instanceof Error) || !('digest' in thrown)) return;
  const requestId = String(headers['x-request-id'] ?? '');
  if (isDatabaseAway(thrown)) answerUnavailable(requestId);
  log().error({ requestId, method, route, digest: thrown.digest, err: thrown }, 'A page failed.');
}
