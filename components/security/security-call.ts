import { ApiError, callAction, redirectIfSignedOut } from '@/lib/browser/api-client';

/**
 * Calls an action of the security page, which all portals share. When the session has ended, the user signs in again in a
 * dialog. In the customer portal another 401 or 403 without a code redirects to the sign-in and back; in the others the
 * form shows the error.
 * @throws ApiError with the server's text and status
 */
export async function securityCall<T>(action: Parameters<typeof callAction<T>>[0]): Promise<T> {
  return callAction(action).catch((cause: unknown) => {
    if (window.location.pathname.startsWith('/user/')) redirectIfSignedOut(cause);
    throw cause;
  });
}

/** Calls an action for a ConfirmDialog, which shows the error's message. The message is never empty. */
export async function confirmedAction<T>(action: Parameters<typeof securityCall<T>>[0]): Promise<T> {
  return securityCall(action).catch((cause: unknown) => {
    if (!(cause instanceof ApiError) || cause.message) throw cause;
    throw new ApiError(cause.status, 'Network error. Please try again.');
  });
}

/** Returns the message of a failed action on the security page where the server sent no text. Status 0: no response. */
export function actionFailure(status: number): string {
  return status === 0 ? 'Network error. Please try again.' : 'Something went wrong. Please try again.';
}
