import type { Readable } from 'node:stream';
import { AppError } from '../../errors';
import { type SpooledFile, spool } from '../../platform/storage/spool';

/** The maximum size of an uploaded file. */
export const maxImportBytes = 50_000_000;

/**
 * Spools an uploaded CSV to a temporary file for the duration of `use`, which may read it more than once.
 * @param name the file name sent by the browser
 * @throws AppError invalid_input for another file type or an empty file, too_large
 */
export async function receiveCsv<T>(file: Readable, name: string, use: (file: SpooledFile) => Promise<T>): Promise<T> {
  if (/\.csv$/i.test(name)) return spool(file, maxImportBytes, use);
  file.destroy();
  throw new AppError('invalid_input', 'Choose a .csv file.', { fields: { file: 'Choose a .csv file.' } });
}
