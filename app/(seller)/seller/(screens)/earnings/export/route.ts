import { route } from '@/lib/auth/route';
import { exportEarnings, statementFilter } from '@/lib/earnings/statement';
import { csvFile, csvResponse } from '@/lib/platform/csv';

/** Streams the seller's statement as a CSV file. */
export const GET = route(
  {
    access: 'seller',
    summary: "Exports the seller's statement as CSV, all of it or one month.",
    response: csvFile,
    query: statementFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => csvResponse(actor, 'earnings', (on) => exportEarnings(actor.userId, query, on)),
);
