import { exportList } from '@/lib/audit/export-list';
import { route } from '@/lib/auth/route';
import { exportSellers, sellerFilter, sellerRights } from '@/lib/dashboard/sellers';
import { csvFile } from '@/lib/platform/csv';

/** Streams the filtered list as a CSV file, with the columns that the caller sees. */
export const GET = route(
  {
    access: 'ManageOrders',
    summary: 'Exports the filtered sellers with their figures as CSV.',
    response: csvFile,
    query: sellerFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) =>
    exportList(actor, 'sellers', query, (on) => exportSellers({ ...query, ...sellerRights(actor) }, on)),
);
