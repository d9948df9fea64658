import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { ColumnChoices, ImportAudience } from './map-header';

/** A CSV file on its way in. */
export type ImportUpload = {
  file: Readable;
  /** As the browser sent it. */
  name: string;
  /** Staff's rows follow the file's status and prices; a seller's are Pending, with the seller's own price only. */
  audience: ImportAudience;
  /** What a person said the columns are. */
  choices?: ColumnChoices;
  /** Aborted when the caller went away. */
  signal?: AbortSignal;
};

const rowProblem = z.object({ row: z.int(), column: z.string(), reason: z.string() });

/** What an import did. */
export const importAnswer = z
  .object({
    inserted: z.int(),
    duplicates: z.int().describe('Already listed by this owner for that post type, or a second time in the file.'),
    skipped: z.int().describe('Rows that cannot be used.'),
    errors: z.array(rowProblem).describe('The first 100 of them, with their reasons.'),
    unknownHeaders: z.array(z.string()).describe('Headers of columns that were not used.'),
  })
  .meta({ title: 'ImportResult' });

/** What an import would do (`?mode=check`). */
export const importCheckAnswer = z
  .object({
    rows: z.int().describe('Rows below the header with something in them.'),
    ready: z.int().describe('How many of them an import would insert now; 0 while no column is the URL.'),
    duplicates: z.int(),
    skipped: z.int(),
    errors: z.array(rowProblem).describe('The first 100 skipped rows, with their reasons.'),
    unknownHeaders: z.array(z.string()),
    columns: z
      .array(z.object({ index: z.int(), header: z.string(), sample: z.string(), field: z.string().nullable() }))
      .describe('Every column of the file, with the field it fills.'),
    fields: z.array(z.object({ field: z.string(), label: z.string() })).describe('What a column can be.'),
  })
  .meta({ title: 'ImportCheck' });
