import { exportList } from '@/lib/audit/export-list';
import { route } from '@/lib/auth/route';
import { exportMarketplace, periodQuery, resolvePeriod } from '@/lib/dashboard/marketplace-figures';
import { csvFile } from '@/lib/platform/csv';

/** Sends the marketplace's figures by day, of a period and the period before it, as a CSV file. */
export const GET = route(
  {
    access: 'ManageWallets',
    summary: 'Exports GMV, refunds, margin, late deliveries and lost links by day as CSV.',
    response: csvFile,
    query: periodQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => {
    const period = resolvePeriod(query);
    return exportList(actor, 'marketplace', period, (on) => exportMarketplace(period, on));
  },
);
