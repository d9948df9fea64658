import type { Readable } from 'node:stream';
import type { ColumnChoices } from './column-choices';
import type { ImportAudience } from './map-header';

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
