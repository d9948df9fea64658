import { z } from 'zod';
import { newNiches, rowProblem } from './import-upload';
import { mappingFields } from './map-header';

/** The response of POST /api/seller/sites/import. */
export const editFileResponse = z
  .object({
    rows: z.int().describe('Rows below the header that are not empty.'),
    changed: z.int().describe('Sites that the file changes, or would change with `dryRun=1`.'),
    unchanged: z.int().describe('Rows that repeat what is stored.'),
    review: z.int().describe('Of the changed sites, those that return to review.'),
    rejected: z.int().describe('Rows that change nothing, because they name no own site or a cell cannot be read.'),
    errors: z.array(rowProblem).describe('The first 100 of them, with the reasons.'),
    changes: z
      .array(
        z.object({
          row: z.int(),
          id: z.int(),
          name: z.string(),
          cells: z.array(z.object({ field: z.string(), label: z.string(), before: z.string(), after: z.string() })),
        }),
      )
      .describe('The first 100 changed sites, with the cells that change.'),
    unknownHeaders: z.array(z.string()).describe('Headers of unused columns.'),
    newNiches,
    ...mappingFields,
  })
  .meta({ title: 'EditFileResult' });
export type EditFileResult = z.output<typeof editFileResponse>;
