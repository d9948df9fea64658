import 'server-only';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { csvFile } from '@/lib/platform/csv';
import { contentDisposition } from '@/lib/platform/http/attachment-response';
import { receiveFile } from '@/lib/platform/http/receive-file';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { editFileResponse } from './edit-contract';
import { editSitesByFile, formatRejectedEdits } from './edit-sites';
import { maxImportBytes } from './import-upload';
import { columnChoices, noChoices } from './map-header';

const flag = z.literal('1', 'Use 1.').optional();
const upload = { field: 'file', maxBytes: maxImportBytes };

/** The route that changes a seller's own sites by the cells of a CSV file. */
export const editByFileRoute = route(
  {
    access: 'seller',
    summary: 'Changes own sites by a CSV file, e.g. the edited export of My Sites.',
    description:
      'Rows are matched by the column ID, or by the URL where a row has no ID. Cells as exported and columns that the file does not have change nothing.',
    query: z.object({
      dryRun: flag.describe('With 1, changes nothing.'),
      rejected: flag.describe('With 1, changes nothing and returns the rows that would be rejected, as CSV.'),
      columns: columnChoices
        .default(noChoices)
        .describe('The fields of columns by their index, e.g. `3:dr,7:none`; the others are found by name.'),
    }),
    response: { ...csvFile, orJson: editFileResponse },
    upload,
    errors: ['conflict', 'rate_limited'],
  },
  async ({ actor, query, request }) => {
    await consumeLimit('import', { account: actor.userId, address: '' });
    return receiveFile(request, { ...upload, userId: actor.userId }, async (file, name) => {
      const input = { file, name, choices: query.columns, signal: request.signal };
      if (!query.rejected) return editSitesByFile(actor, input, query.dryRun !== undefined);
      return new Response(await formatRejectedEdits(actor, input), {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': contentDisposition('rejected-rows.csv'),
          'X-Content-Type-Options': 'nosniff',
        },
      });
    });
  },
);
