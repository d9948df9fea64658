import { exportList } from '@/lib/audit/export-list';
import { route } from '@/lib/auth/route';
import { exportPayouts, payoutsFilter } from '@/lib/payouts/export';
import { csvFile } from '@/lib/platform/csv';

/** Streams the filtered list as a CSV file. */
export const GET = route(
  {
    access: 'ManagePayouts',
    summary: 'Exports the filtered payouts as CSV.',
    response: csvFile,
    query: payoutsFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => exportList(actor, 'payouts', query, (on) => exportPayouts(query, on)),
);
