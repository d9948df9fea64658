import { exportList } from '@/lib/audit/export-list';
import { requireRecentAuthentication } from '@/lib/auth/recent-authentication';
import { joinRoutes, route } from '@/lib/auth/route';
import { exportOssReport, getOssReport, ossReportQuery, ossReportResponse } from '@/lib/dashboard/tax-reports/oss';
import {
  dac7Response,
  exportDac7,
  exportUsSellers,
  listUsSellers,
  readDac7,
  recordSellerExport,
  sellerReportQuery,
  usSellersResponse,
} from '@/lib/dashboard/tax-reports/sellers';
import { exportTaxReport, getTaxReport, taxReportQuery, taxReportResponse } from '@/lib/dashboard/tax-reports/tax';
import { findThresholds } from '@/lib/dashboard/tax-reports/thresholds';
import { csvFile, csvResponse } from '@/lib/platform/csv';
import { jsonArray } from '@/lib/platform/http/list-response';
import { streamResponse } from '@/lib/platform/http/stream-response';

const json = { 'Content-Type': 'application/json' };

/** The reports for tax returns: JSON, or CSV with `format=csv`. Each is read from one snapshot of the database. */
export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  tax: {
    GET: route(
      {
        access: 'ManageWallets',
        summary: 'Reports the tax of documents by month or quarter, country, rate and category.',
        response: { ...csvFile, orJson: taxReportResponse },
        errors: ['rate_limited'],
        query: taxReportQuery,
      },
      async ({ actor, query: { format, ...query } }) => {
        if (format === 'csv') return exportList(actor, 'tax', query, (on) => exportTaxReport(query, on));
        return streamResponse(actor, async ({ on }) => ({
          headers: json,
          pieces: onePiece(await getTaxReport(query, on)),
        }));
      },
    ),
  },
  oss: {
    GET: route(
      {
        access: 'ManageWallets',
        summary: 'Reports the supplies of a quarter for the One Stop Shop, by country of consumption and rate, in EUR.',
        response: { ...csvFile, orJson: ossReportResponse },
        errors: ['rate_limited'],
        query: ossReportQuery,
      },
      async ({ actor, query: { format, quarter } }) => {
        if (format === 'csv') return exportList(actor, 'oss', { quarter }, (on) => exportOssReport(quarter, on));
        return streamResponse(actor, async ({ on }) => ({
          headers: json,
          pieces: onePiece(await getOssReport(quarter, on)),
        }));
      },
    ),
  },
  dac7: {
    GET: route(
      {
        access: 'ManagePayouts',
        summary:
          'Reports what became payable to each seller, the fees and the placements by quarter (DAC7). The CSV has the accounts and needs a recent password.',
        response: { ...csvFile, orJson: dac7Response },
        errors: ['rate_limited', 'reauthentication_required'],
        query: sellerReportQuery,
      },
      async ({ actor, query: { format, year } }) => {
        if (format === 'json') {
          return streamResponse(actor, async ({ on }) => ({
            headers: json,
            pieces: wrapArray(
              `{"year":${year},"sellers":`,
              jsonArray(readDac7(year, on), (row) => row),
            ),
          }));
        }
        requireRecentAuthentication(actor);
        await recordSellerExport(actor, 'DAC7', year);
        return csvResponse(actor, `dac7-${year}`, (on) => exportDac7(year, on));
      },
    ),
  },
  1099: {
    GET: route(
      {
        access: 'ManagePayouts',
        summary: 'Lists the sellers in the United States above a threshold of form 1099-NEC or 1099-K.',
        response: { ...csvFile, orJson: usSellersResponse },
        errors: ['rate_limited', 'reauthentication_required'],
        query: sellerReportQuery,
      },
      async ({ actor, query: { format, year } }) => {
        if (format === 'json') {
          return streamResponse(actor, async ({ on }) => ({
            headers: json,
            pieces: onePiece({ year, thresholds: findThresholds(year), sellers: await listUsSellers(year, on) }),
          }));
        }
        requireRecentAuthentication(actor);
        await recordSellerExport(actor, '1099', year);
        return csvResponse(actor, `1099-${year}`, (on) => exportUsSellers(year, on));
      },
    ),
  },
});

async function* onePiece(value: unknown): AsyncGenerator<string> {
  yield JSON.stringify(value);
}

async function* wrapArray(before: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield before;
  yield* pieces;
  yield '}';
}
