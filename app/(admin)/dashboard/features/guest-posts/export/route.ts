import { csvFile, csvResponse } from '@/lib/http/csv-response';
import { route } from '@/lib/http/route';
import { deskFilter } from '@/lib/sites/desk-schemas';
import { exportSites } from '@/lib/sites/export';

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
