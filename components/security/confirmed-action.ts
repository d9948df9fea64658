import { ApiError } from '@/lib/browser/api-client';
import { securityCall } from './security-call';

/** Awaits an action for a ConfirmDialog, which shows the error's message. The message is never empty. */
export async function confirmedAction<T>(action: Parameters<typeof securityCall<T>>[0]): Promise<T> {
  return securityCall(action).catch((cause: unknown) => {
    if (!(cause instanceof ApiError) || cause.message) throw cause;
    throw new ApiError(cause.status, 'Network error. Please try again.');
  });
}
