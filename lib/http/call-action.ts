import type { ActionAnswer } from './action';
import { ApiError } from './client';

/**
 * Awaits a server action in the browser and fails as `apiFetch` does, so that one form serves both ways of writing.
 * @throws ApiError with the server's text and status; status 0 when no answer came
 */
export async function callAction<T>(answering: Promise<ActionAnswer<T>>): Promise<T> {
  const answer = await answering.catch(() => {
    throw new ApiError(0, '');
  });
  if (answer.ok) return answer.data;
  throw new ApiError(answer.status, answer.error, answer.fields, answer.url ?? null);
}
