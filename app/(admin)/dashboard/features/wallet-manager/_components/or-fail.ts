import type { ActionAnswer } from '@/lib/http/action';
import { callAction } from '@/lib/http/call-action';
import { ApiError } from '@/lib/http/client';

/** Awaits an action. @throws Error with the text a dialog shows */
export async function orFail<T>(answering: Promise<ActionAnswer<T>>): Promise<T> {
  try {
    return await callAction(answering);
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new Error(cause.message || 'No answer came. Please try again.');
  }
}
