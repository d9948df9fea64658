import { ApiError } from '@/lib/browser/api-client';

/** "Save failed (HTTP n)" plus the error, as the specification words it (000, section 8); for a form to show. */
export function saveFailure(cause: unknown): never {
  if (!(cause instanceof ApiError)) throw cause;
  throw new ApiError(cause.status, httpFailure('Save failed', cause), cause.fields);
}

/** "Delete failed (HTTP n)" plus the error; for a question to show. */
export function deleteFailure(cause: unknown): never {
  throw cause instanceof ApiError ? new Error(httpFailure('Delete failed', cause)) : cause;
}

/** "Assign failed (HTTP n)" plus the error. @param text what did not work, e.g. "Assign failed" */
export function httpFailure(text: string, { status, message }: ApiError): string {
  const failure = `${text} (HTTP ${status})`;
  return message ? `${failure}: ${message}` : failure;
}
