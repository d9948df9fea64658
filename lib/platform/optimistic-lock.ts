import { AppError } from '@/lib/errors';

/**
 * Requires that a record still has the version on which an edit or a deletion is based.
 * @param version undefined if the caller sent none: every version is accepted
 * @param name the record, as the beginning of a sentence, e.g. "Order #7"
 * @throws AppError conflict
 */
export function requireVersion(record: { version: number }, version: number | undefined, name: string): void {
  if (version !== undefined && version !== record.version) throw createConflictError(name);
}

/** Creates the conflict error of a stale edit. @param name the record, as the beginning of a sentence */
export function createConflictError(name: string): AppError {
  return new AppError(
    'conflict',
    `${name} was changed by another user in the meantime. Nothing was saved. Review their changes and try again.`,
  );
}
