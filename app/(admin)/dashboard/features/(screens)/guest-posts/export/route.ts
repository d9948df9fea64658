import { exportList } from '@/lib/audit/export-list';
import { route } from '@/lib/auth/route';
import { csvFile } from '@/lib/platform/csv';
import { exportSites } from '@/lib/sites/managed-queries';
import { managedSitesFilter } from '@/lib/sites/managed-schemas';

/** Streams the filtered list as a CSV file. */
export const GET = route(
  {
    access: 'ManageSites',
    summary: 'Exports the filtered sites as CSV.',
    response: csvFile,
    query: managedSitesFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => exportList(actor, 'sites', query, (on) => exportSites(query, on)),
);
