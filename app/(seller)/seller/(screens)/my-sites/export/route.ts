import { route } from '@/lib/auth/route';
import { csvFile, csvResponse } from '@/lib/platform/csv';
import { exportOwnSites, sellerSitesFilter } from '@/lib/sites/seller-queries';

/** Streams the filtered list as a CSV file, which can be edited and imported again. */
export const GET = route(
  {
    access: 'seller',
    summary: 'Exports the filtered own sites as CSV, for an edit by file.',
    response: csvFile,
    query: sellerSitesFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => csvResponse(actor, 'my-sites', (on) => exportOwnSites(actor.userId, query, on)),
);
