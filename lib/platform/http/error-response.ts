import { leaveReadOnlyServer } from '@/db/client';
import { isDatabaseUnavailable, isQueryCanceled } from '@/db/database-errors';
import { AppError, resolvableCodes } from '@/lib/errors';
import { log } from '@/lib/platform/log/log';
import { isStorageFull } from '@/lib/platform/storage/local-store';

/** The body of every error response. */
export type ErrorBody = {
  error: string;
  fields?: Record<string, string>;
  url?: string;
  check?: object;
  /** Set for errors that a program can resolve before it repeats the request. */
  code?: (typeof resolvableCodes)[number];
  requestId?: string;
};

/**
 * Converts a thrown value to an AppError. Unexpected errors are logged with the request id; the user sees a generic
 * message with the same id and no internals.
 */
export function toAppError(thrown: unknown, requestId: string): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isDatabaseUnavailable(thrown)) {
    log().error({ requestId, err: thrown }, 'The database does not respond.');
    leaveReadOnlyServer(thrown);
    return createDatabaseUnavailableError();
  }
  if (isQueryCanceled(thrown)) {
    log().error({ requestId, err: thrown }, 'PostgreSQL canceled a statement.');
    return new AppError(
      'unavailable',
      'The database took too long, so the request was canceled. Please try again in a few seconds. If you were saving something, check first whether it was saved.',
      { retryAfterSeconds: 5 },
    );
  }
  if (isStorageFull(thrown)) {
    log().error({ requestId, err: thrown }, 'A disk is full.');
    return new AppError(
      'storage_full',
      'The server has no storage space left, so nothing was saved. Try again later. If the problem persists, contact the operator of this marketplace.',
    );
  }
  log().error({ requestId, err: thrown }, 'A request failed.');
  return new AppError('internal', `Something went wrong on our side. Please try again. (Reference ${requestId})`);
}

/** Returns the error while PostgreSQL restarts, fails over or is down. Whether a commit succeeded is unknown. */
function createDatabaseUnavailableError(): AppError {
  return new AppError(
    'unavailable',
    'The marketplace cannot reach its database right now. Please try again in a few seconds. If you were saving something, check first whether it was saved.',
    { retryAfterSeconds: 5 },
  );
}

export function errorBody(error: AppError, requestId: string): ErrorBody {
  const { fields, url, check } = error.details;
  const code = resolvableCodes.find((one) => one === error.code);
  return {
    error: error.message,
    ...(fields && { fields }),
    ...(url && { url }),
    ...(check && { check }),
    ...(code && { code }),
    ...(error.code === 'internal' && { requestId }),
  };
}
