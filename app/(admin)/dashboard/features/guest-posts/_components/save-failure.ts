import { ApiError } from '@/lib/http/client';

/** "Save failed (HTTP n)" plus the error, as the specification words it (000, section 8). */
export function saveFailure(cause: unknown): never {
  if (!(cause instanceof ApiError)) throw cause;
  const text = `Save failed (HTTP ${cause.status})`;
  throw new ApiError(cause.status, cause.message ? `${text}: ${cause.message}` : text, cause.fields);
}
