import { csvFile, csvResponse } from '@/lib/http/csv-response';
import { route } from '@/lib/http/route';
import { exportSettlement } from '@/lib/settlement/export';
import { settlementFilter } from '@/lib/settlement/schemas';

/** The filtered lines of the providers' statements as a CSV file, sent while it is read. */
export const GET = route(
  {
    access: 'ManagePayments',
    summary: 'The lines of the payment providers’ statements as CSV.',
    answer: csvFile,
    query: settlementFilter,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => csvResponse(actor, 'settlement', (on) => exportSettlement(query, on)),
);
