import { ApiError } from './api-client';

/**
 * For a failed call of a customer screen or of a seller's sites: a 401 or 403 sends the person to the sign-in, which
 * leads back here (spec 001, section 2; spec 000, section 6); anything else goes on to the screen.
 */
export function leaveIfSignedOut(cause: unknown): never {
  if (cause instanceof ApiError && (cause.status === 401 || (cause.status === 403 && cause.code === null)))
    signInAgain();
  throw cause;
}

/** Leaves for the sign-in, which leads back to the page that is open now, in whichever portal. */
export function signInAgain(): void {
  const back = `${window.location.pathname}${window.location.search}`;
  window.location.assign(`/user/login?next=${encodeURIComponent(back)}`);
}
