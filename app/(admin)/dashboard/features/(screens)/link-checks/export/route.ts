import { exportList } from '@/lib/audit/export-list';
import { route } from '@/lib/auth/route';
import { exportWatches, watchesFilter } from '@/lib/orders/link-checks/export';
import { csvFile } from '@/lib/platform/csv';

/** Streams the filtered list as a CSV file. */
export const GET = route(
  {
    access: 'ManageOrders',
    summary: 'Exports the filtered link checks as CSV.',
    response: csvFile,
    query: watchesFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => exportList(actor, 'link-checks', query, (on) => exportWatches(query, on)),
);
