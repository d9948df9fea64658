import { route } from '@/lib/auth/route';
import { buyerOrdersQuery, exportOwnOrders } from '@/lib/orders/own-export';
import { csvFile, csvResponse } from '@/lib/platform/csv';

/** Streams the filtered list as a CSV file. */
export const GET = route(
  {
    access: 'account:orders',
    summary: "Exports the caller's own orders as CSV, filtered as the screen My Orders.",
    response: csvFile,
    query: buyerOrdersQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => csvResponse(actor, 'orders', (on) => exportOwnOrders(actor, query, on)),
);
