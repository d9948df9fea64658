import { AppError } from '../errors';

/**
 * Checks that the row still has the version on which an edit is based.
 * @param row the stored row; undefined when it was deleted
 * @param noun the kind of record, e.g. "feature"
 * @throws AppError not_found, conflict
 */
export function requireVersion<Row extends { version: number }>(
  row: Row | undefined,
  { version, noun, nameOf }: { version: number; noun: string; nameOf: (row: Row) => string },
): Row {
  if (!row) throw new AppError('not_found', `This ${noun} was deleted in the meantime.`);
  if (row.version !== version) throw createConflictError(`“${nameOf(row)}”`);
  return row;
}

/** Creates the conflict error of a stale edit. @param name the record's name, as the beginning of a sentence */
export function createConflictError(name: string): AppError {
  return new AppError(
    'conflict',
    `${name} was changed by another user in the meantime. Nothing was saved. Review their changes and save again.`,
  );
}
