import { route } from '@/lib/auth/route';
import { yearQuery } from '@/lib/earnings/self-billing/contract';
import { exportYear, recordYearExport } from '@/lib/earnings/self-billing/export-year';
import { csvFile, csvResponse } from '@/lib/platform/csv';

/** Streams the amounts of a year by seller and quarter as a CSV file. */
export const GET = route(
  {
    access: 'ManagePayouts',
    summary: 'Exports the amounts, fees and numbers of placements of a year by seller and quarter as CSV.',
    response: csvFile,
    query: yearQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query: { year } }) => {
    await recordYearExport(actor, year);
    return csvResponse(actor, `sellers-${year}`, (on) => exportYear(year, on));
  },
);
