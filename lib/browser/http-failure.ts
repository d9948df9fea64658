import { ApiError } from './api-client';

/** Rethrows an error as "Save failed (HTTP n)" plus its message. */
export function saveFailure(cause: unknown): never {
  if (!(cause instanceof ApiError)) throw cause;
  throw new ApiError(cause.status, httpFailure('Save failed', cause), cause.fields);
}

/** Rethrows an error as "Delete failed (HTTP n)" plus its message. */
export function deleteFailure(cause: unknown): never {
  throw cause instanceof ApiError ? new Error(httpFailure('Delete failed', cause)) : cause;
}

/** "Assign failed (HTTP n)" plus the error message. @param text the prefix, e.g. "Assign failed" */
export function httpFailure(text: string, { status, message }: ApiError): string {
  const failure = `${text} (HTTP ${status})`;
  return message ? `${failure}: ${message}` : failure;
}
