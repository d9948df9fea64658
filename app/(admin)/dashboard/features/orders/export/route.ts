import { exportList } from '@/lib/audit/export-list';
import { route } from '@/lib/auth/route';
import { adminOrdersFilter, exportOrders } from '@/lib/orders/order/export';
import { csvFile } from '@/lib/platform/csv';

/** Streams the filtered list as a CSV file. */
export const GET = route(
  {
    access: 'ManageOrders',
    summary: 'Exports the filtered orders as CSV.',
    response: csvFile,
    query: adminOrdersFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => exportList(actor, 'orders', query, (on) => exportOrders(query, on)),
);
