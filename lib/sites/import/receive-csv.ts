import type { Readable } from 'node:stream';
import { AppError } from '../../errors';
import { type SpooledFile, spool } from '../../platform/storage/spool';

/** Decision 18. */
export const maxImportBytes = 50_000_000;

/**
 * Keeps an uploaded CSV as a temporary file while `use` reads it, more than once and in its own time.
 * @param name as the browser sent it
 * @throws AppError invalid_input for another kind of file or an empty one, too_large
 */
export async function receiveCsv<T>(file: Readable, name: string, use: (file: SpooledFile) => Promise<T>): Promise<T> {
  if (/\.csv$/i.test(name)) return spool(file, maxImportBytes, use);
  file.destroy();
  throw new AppError('invalid_input', 'Choose a .csv file.', { fields: { file: 'Choose a .csv file.' } });
}
