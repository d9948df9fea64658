import type { ActionResult } from '../platform/http/action';
import { ApiError } from './api-client';
import { withReauthentication } from './reauthentication';

/**
 * Calls a server action and fails as `apiFetch` does, so that a form can save through either.
 * @param answering the result's promise; or, for an action that declares `recentAuthentication`, a function that makes
 * the call, so that it can be repeated after the user has entered the password
 * @throws ApiError with the server's message and status; status 0 without a response
 */
export function callAction<T>(answering: Promise<ActionResult<T>> | (() => Promise<ActionResult<T>>)): Promise<T> {
  return typeof answering === 'function' ? withReauthentication(() => read(answering())) : read(answering);
}

async function read<T>(answering: Promise<ActionResult<T>>): Promise<T> {
  const answer = await answering.catch(() => {
    throw new ApiError(0, '');
  });
  if (answer.ok) return answer.data;
  throw new ApiError(answer.status, answer.error, answer.fields, answer.url ?? null, answer.code ?? null);
}
