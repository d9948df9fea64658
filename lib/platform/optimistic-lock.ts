import { AppError } from '../errors';

/**
 * Holds an edit to the version it started from.
 * @param row what the edit means, as it is stored; undefined when it is gone
 * @param noun what it is, e.g. "feature"
 * @throws AppError not_found, conflict
 */
export function requireVersion<Row extends { version: number }>(
  row: Row | undefined,
  { version, noun, nameOf }: { version: number; noun: string; nameOf: (row: Row) => string },
): Row {
  if (!row) throw new AppError('not_found', `This ${noun} was deleted in the meantime.`);
  if (row.version !== version) throw changedMeanwhile(`“${nameOf(row)}”`);
  return row;
}

/** @param name what it is called, as the beginning of a sentence */
export function changedMeanwhile(name: string): AppError {
  return new AppError(
    'conflict',
    `${name} was changed by somebody else in the meantime. Nothing was saved; look at their changes and save again.`,
  );
}
