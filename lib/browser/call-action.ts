import type { ActionResult } from '@/lib/platform/http/action';
import { ApiError } from './api-client';
import { withSession } from './reauthentication';

/**
 * Calls a server action and fails as `apiFetch` does, so that a form can save through either. The call is repeated after
 * the user has entered the password or signed in again in a dialog.
 * @throws ApiError with the server's message and status; status 0 without a response
 */
export function callAction<T>(action: () => Promise<ActionResult<T>>): Promise<T> {
  return withSession(() => readAction(action()));
}

/**
 * Awaits a server action without a dialog: one that only reads, that the user does not wait for, or that is part of
 * signing in.
 * @throws ApiError as `callAction` does
 */
export async function readAction<T>(action: Promise<ActionResult<T>>): Promise<T> {
  const response = await action.catch(() => {
    throw new ApiError(0, '');
  });
  if (response.ok) return response.data;
  throw new ApiError(response.status, response.error, response.fields, response.url ?? null, response.code ?? null);
}
