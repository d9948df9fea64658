import { route } from '@/lib/auth/route';
import { csvFile, csvResponse } from '@/lib/platform/csv';
import { exportSites } from '@/lib/sites/desk-queries';
import { deskFilter } from '@/lib/sites/desk-schemas';

/** The filtered list as a CSV file, sent while it is read. */
export const GET = route(
  {
    access: 'ManageSites',
    summary: 'The filtered sites as CSV.',
    answer: csvFile,
    query: deskFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => csvResponse(actor, 'sites', (on) => exportSites(query, on)),
);
