import { exportList } from '@/lib/audit/export-list';
import { route } from '@/lib/auth/route';
import { exportSettlement, settlementFilter } from '@/lib/payments/settlement/queries';
import { csvFile } from '@/lib/platform/csv';

/** Streams the filtered settlement lines as a CSV file. */
export const GET = route(
  {
    access: 'ManagePayments',
    summary: 'Exports the lines of the payment providers’ statements as CSV.',
    response: csvFile,
    query: settlementFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => exportList(actor, 'settlement', query, (on) => exportSettlement(query, on)),
);
