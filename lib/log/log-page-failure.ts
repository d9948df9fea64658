import { log } from './log';

type FailedRequest = { method: string; headers: Record<string, string | string[] | undefined> };

/**
 * A failure that Next.js answered: of a page, or of what no `route()` and no `action()` caught. The digest is the
 * reference that the person was shown.
 */
export function logPageFailure(thrown: unknown, { method, headers }: FailedRequest, route: string): void {
  if (!(thrown instanceof Error) || !('digest' in thrown)) return;
  const requestId = headers['x-request-id'];
  log().error({ requestId, method, route, digest: thrown.digest, err: thrown }, 'A page failed.');
}
