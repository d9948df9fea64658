import type { ActionResult } from '../platform/http/action';
import { ApiError } from './api-client';
import { withReauthentication } from './reauthentication';

/**
 * Calls a server action and fails as `apiFetch` does, so that a form can save through either.
 * @param answering the result's promise; or, for an action that declares `recentAuthentication`, a function that makes
 * the call, so that it can be repeated after the user has entered the password
 * @throws ApiError with the server's message and status; status 0 without a response
 */
export function callAction<T>(action: Promise<ActionResult<T>> | (() => Promise<ActionResult<T>>)): Promise<T> {
  return typeof action === 'function' ? withReauthentication(() => read(action())) : read(action);
}

async function read<T>(action: Promise<ActionResult<T>>): Promise<T> {
  const response = await action.catch(() => {
    throw new ApiError(0, '');
  });
  if (response.ok) return response.data;
  throw new ApiError(response.status, response.error, response.fields, response.url ?? null, response.code ?? null);
}
