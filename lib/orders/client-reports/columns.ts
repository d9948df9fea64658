import type { ReportPrices } from '@/db/schema/client-reports';
import { formatUsd, toDecimalString } from '@/lib/money';
import { sourceNames } from '@/lib/sites/domain-figures/source-names';
import type { ReportRow, ReportStatus } from './rows';

export const statusNames: Record<ReportStatus, string> = {
  live: 'Live',
  replaced: 'Replaced',
  pending: 'Pending',
  review: 'In review',
  lost: 'Lost',
};

/** Where a DR comes from, in words that name neither the seller nor the marketplace. */
export const describeDrSource = (source: ReportRow['drSource']): string => {
  if (source === null) return '';
  return source === 'seller'
    ? 'Stated by the site'
    : source === 'staff'
      ? 'Entered by hand'
      : sourceNames[source].attribution;
};

export const describeIndex = ({ indexable, status }: ReportRow): string => {
  if (status === 'lost' || indexable === null) return '';
  return indexable ? 'Indexable' : 'Not indexable';
};

export const describeRel = ({ rel }: ReportRow): string => (rel === null ? '' : rel || 'dofollow');

type ReportColumn = readonly [header: string, cell: (row: ReportRow) => string];

/** The columns of the CSV and the facts of the PDF. The page shows the same values. */
export const listReportColumns = (prices: ReportPrices): ReportColumn[] => [
  ['Reference', ({ reference }) => reference],
  ['Live address', ({ address }) => address],
  ['Domain', ({ domain }) => domain],
  ['DR', ({ dr }) => (dr === null ? '' : String(dr))],
  ['DR source', ({ drSource }) => describeDrSource(drSource)],
  ['Target page', ({ target }) => target],
  ['Anchor', ({ anchor }) => anchor],
  ['Rel', describeRel],
  ['Day live', ({ dayLive }) => dayLive ?? ''],
  ['Status', ({ status }) => statusNames[status]],
  ['Index state', describeIndex],
  ['Last check', ({ dayChecked }) => dayChecked ?? ''],
  // Relative, because an absolute address would name the marketplace in a file that is passed on.
  ['Passport, below the report’s address', ({ proofId }) => (proofId === null ? '' : `proofs/${proofId}`)],
  ...(prices === 'none'
    ? []
    : [
        [
          'Price (USD)',
          ({ priceCents }) => (priceCents === null ? '' : toDecimalString(priceCents)),
        ] satisfies ReportColumn,
      ]),
  ['Notes', ({ note }) => note],
];

/** Formats the sum of the prices of a report; null without prices. */
export function formatTotal(prices: ReportPrices, rows: readonly ReportRow[]): string | null {
  return prices === 'none' ? null : formatUsd(rows.reduce((sum, { priceCents }) => sum + (priceCents ?? 0), 0));
}
