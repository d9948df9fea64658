import { callAction } from '@/lib/browser/call-action';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';

/**
 * Awaits an action of the security page, which all portals share. In the customer portal a 401 or 403 redirects to the
 * sign-in and back; in the others the form shows the error.
 * @throws ApiError with the server's text and status
 */
export async function securityCall<T>(action: Parameters<typeof callAction<T>>[0]): Promise<T> {
  return callAction(action).catch((cause: unknown) => {
    if (window.location.pathname.startsWith('/user/')) redirectIfSignedOut(cause);
    throw cause;
  });
}
