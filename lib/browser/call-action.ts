import type { ActionAnswer } from '../platform/http/action';
import { ApiError } from './api-client';
import { withReauthentication } from './reauthentication';

/**
 * Awaits a server action in the browser and fails as `apiFetch` does, so that one form serves both ways of writing.
 * @param answering the answer, or what makes the call: a function for an action that declares `recentAuthentication`,
 * so that the call can be repeated once the person has typed the password
 * @throws ApiError with the server's text and status; status 0 when no answer came
 */
export function callAction<T>(answering: Promise<ActionAnswer<T>> | (() => Promise<ActionAnswer<T>>)): Promise<T> {
  return typeof answering === 'function' ? withReauthentication(() => read(answering())) : read(answering);
}

async function read<T>(answering: Promise<ActionAnswer<T>>): Promise<T> {
  const answer = await answering.catch(() => {
    throw new ApiError(0, '');
  });
  if (answer.ok) return answer.data;
  throw new ApiError(answer.status, answer.error, answer.fields, answer.url ?? null, answer.code ?? null);
}
