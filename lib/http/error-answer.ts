import { AppError } from '../errors';
import { describeFailure } from './describe-failure';

/** What every failed call answers. */
export type ErrorBody = { error: string; fields?: Record<string, string>; url?: string; requestId?: string };

/**
 * Turns whatever was thrown into a typed error. What was not foreseen is logged with the request id, and the person
 * gets a plain text with the same id, never the internals.
 */
export function toAppError(thrown: unknown, requestId: string): AppError {
  if (thrown instanceof AppError) return thrown;
  console.error(
    JSON.stringify({
      level: 'error',
      requestId,
      ...describeFailure(thrown),
    }),
  );
  return new AppError('internal', `Something went wrong on our side. Please try again. (Reference ${requestId})`);
}

export function errorBody(error: AppError, requestId: string): ErrorBody {
  const { fields, url } = error.details;
  return {
    error: error.message,
    ...(fields && { fields }),
    ...(url && { url }),
    ...(error.code === 'internal' && { requestId }),
  };
}
