import { ApiError } from './api-client';

/**
 * Handles a failed request of a customer screen or of a seller's sites: a 401 or 403 redirects to the sign-in page,
 * which returns the user to this page. With a code, the user is about to resolve the error.
 * @throws any other error unchanged
 */
export function redirectIfSignedOut(cause: unknown): never {
  if (cause instanceof ApiError && (cause.status === 401 || cause.status === 403) && cause.code === null)
    redirectToSignIn();
  throw cause;
}

/** Redirects to the sign-in page, which returns the user to the current page of any portal. */
export function redirectToSignIn(): void {
  const back = `${window.location.pathname}${window.location.search}`;
  window.location.assign(`/user/login?next=${encodeURIComponent(back)}`);
}
