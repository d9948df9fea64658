import { ApiError } from '@/lib/browser/api-client';
import { callAction } from '@/lib/browser/call-action';

/**
 * Awaits an action.
 * @throws Error with the message that the dialog displays
 */
export async function unwrapAction<T>(action: Parameters<typeof callAction<T>>[0]): Promise<T> {
  try {
    return await callAction(action);
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new Error(cause.message || 'The server didn’t respond. Please try again.');
  }
}
