import { exportList } from '@/lib/audit/export-list';
import { route } from '@/lib/auth/route';
import { disputesFilter, exportDisputes } from '@/lib/orders/disputes/export';
import { csvFile } from '@/lib/platform/csv';

/** Streams the filtered list as a CSV file. */
export const GET = route(
  {
    access: 'ManageOrders',
    summary: 'Exports the filtered disputes as CSV.',
    response: csvFile,
    query: disputesFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => exportList(actor, 'disputes', query, (on) => exportDisputes(query, on)),
);
