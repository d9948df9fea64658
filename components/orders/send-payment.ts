import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';

/**
 * Sends what pays from the wallet. A refusal by a limit of the account has its reasons, and is no end of the session.
 * @throws ApiError
 */
export const sendPayment = (path: string, body: object): Promise<unknown> =>
  apiFetch(path, { method: 'POST', body }).catch((cause: unknown) => {
    if (cause instanceof ApiError && cause.status === 403) throw cause;
    redirectIfSignedOut(cause);
  });
