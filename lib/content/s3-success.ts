import { AppError } from '../errors';
import { log } from '../log/log';

/**
 * @param isSuccess looks at the answer's text, where the status alone does not tell
 * @returns the same response
 * @throws AppError provider_failed. What the service said goes to the log, not to the person.
 */
export async function requireS3Success(response: Response, isSuccess?: (text: string) => boolean): Promise<Response> {
  if (response.ok && !isSuccess) return response;
  const text = await response.text();
  if (response.ok && isSuccess?.(text)) return response;
  log().error({ status: response.status, text: text.slice(0, 500) }, 'The content store refused.');
  throw new AppError('provider_failed', 'The file store does not answer as it should. Please try again in a moment.');
}
