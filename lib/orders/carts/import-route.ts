import 'server-only';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { csvFile } from '@/lib/platform/csv';
import { contentDisposition } from '@/lib/platform/http/attachment-response';
import { receiveFile } from '@/lib/platform/http/receive-file';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { cartIdParams } from './contract';
import { cartImportResponse, formatRejectedRows, importCart } from './import-file';
import { getCart } from './queries';
import { cartColumnChoices, maxCartFileBytes } from './read-file';

const flag = z.literal('1', 'Use 1.').optional();
const upload = { field: 'file', maxBytes: maxCartFileBytes };

/** The route that adds the sites of a file to a cart. */
export const importCartRoute = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    summary: 'Adds the sites of a CSV file with their briefs to a cart.',
    description:
      'Columns are found by their names: site (a domain or the id of a listing), target url, anchor, rel, article, words, publish from, note, max price.',
    params: cartIdParams,
    query: z.object({
      dryRun: flag.describe('With 1, changes nothing.'),
      rejected: flag.describe('With 1, changes nothing and returns the rows that would not be added, as CSV.'),
      columns: cartColumnChoices
        .default(new Map())
        .describe('The fields of columns by their index, e.g. `3:anchor,7:none`; the others are found by name.'),
    }),
    response: { ...csvFile, orJson: cartImportResponse },
    upload,
    errors: ['not_found', 'conflict', 'rate_limited'],
  },
  async ({ actor, params, query, request }) => {
    await consumeLimit('import', { account: actor.accountId, address: '' });
    return receiveFile(request, { ...upload, userId: actor.userId }, async (file) => {
      await getCart(actor, params.id);
      const input = { file, choices: query.columns };
      if (!query.rejected) return importCart(actor, params.id, input, query.dryRun !== undefined);
      return new Response(await formatRejectedRows(actor, params.id, input), {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': contentDisposition('rejected-rows.csv'),
          'X-Content-Type-Options': 'nosniff',
        },
      });
    });
  },
);
