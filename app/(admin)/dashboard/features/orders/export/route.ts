import { csvFile, csvResponse } from '@/lib/http/csv-response';
import { route } from '@/lib/http/route';
import { deskFilter } from '@/lib/orders/desk-schemas';
import { exportOrders } from '@/lib/orders/export';

/** The filtered list as a CSV file, sent while it is read. */
export const GET = route(
  {
    access: 'ManageOrders',
    summary: 'The filtered orders as CSV.',
    answer: csvFile,
    query: deskFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => csvResponse(actor, 'orders', (on) => exportOrders(query, on)),
);
