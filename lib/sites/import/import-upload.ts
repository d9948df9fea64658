import type { Readable } from 'node:stream';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { type SpooledFile, spool } from '@/lib/platform/storage/spool';
import { type ColumnChoices, type ImportAudience, mappingFields } from './map-header';

/** An uploaded CSV file. */
export type ImportUpload = {
  file: Readable;
  /** The file name sent by the browser. */
  name: string;
  /** Staff files may set status and all prices; a seller's sites are Pending, with the seller's price only. */
  audience: ImportAudience;
  /** The user's choice of columns. */
  choices?: ColumnChoices;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
};

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

export const rowProblem = z.object({ row: z.int(), column: z.string(), reason: z.string() });

/** The number of new niches that a response names. */
export const maxNamedNiches = 20;
export const newNiches = z
  .array(z.string())
  .optional()
  .describe('Up to 20 niches that are not in the list and wait for review by staff; omitted if there are none.');

/** The result of an import. */
export const importResponse = z
  .object({
    inserted: z.int(),
    duplicates: z.int().describe('Already listed by this owner for that post type, or repeated in the file.'),
    skipped: z.int().describe('Rows that cannot be imported.'),
    errors: z.array(rowProblem).describe('The first 100 of them, with the reasons.'),
    unknownHeaders: z.array(z.string()).describe('Headers of unused columns.'),
    newNiches,
  })
  .meta({ title: 'ImportResult' });

/** The preview of an import (`?mode=check`). */
export const importCheckResponse = z
  .object({
    rows: z.int().describe('Rows below the header that are not empty.'),
    ready: z
      .int()
      .describe('The number of rows that an import would insert now; 0 while no column is mapped to the URL.'),
    duplicates: z.int(),
    skipped: z.int(),
    errors: z.array(rowProblem).describe('The first 100 skipped rows, with the reasons.'),
    unknownHeaders: z.array(z.string()),
    newNiches,
    ...mappingFields,
  })
  .meta({ title: 'ImportCheck' });
