import Link from 'next/link';
import {
  formatAliveOf,
  formatMedian,
  formatNumber,
  formatPerOrder,
  formatShare,
} from '@/components/sites/record-words';
import { Reliability } from '@/components/sites/site-record';
import { type Column, DataTable, noValue } from '@/components/table/data-table';
import type { PageParams, SearchParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import type { CappedCount } from '@/db/count-up-to';
import type { ListingRecord } from '@/lib/sites/record/list-own';
import type { FulfilmentRecord } from '@/lib/sites/responses';

type ListingRecordsProps = CappedCount & { rows: ListingRecord[]; page: PageParams; searchParams: SearchParams };

/** Lists the records of a seller's listings, as buyers see them. */
export function ListingRecords({ rows, total, isCapped, page, searchParams }: ListingRecordsProps) {
  return (
    <section aria-labelledby="listings-heading">
      <h2 id="listings-heading" className="text-ink text-sm">
        By site
      </h2>
      <p className="mt-0.5 mb-3 text-muted text-sm">
        What buyers see. Orders of a site that our team fulfilled count for the site, and not for you.
      </p>
      <DataTable
        caption="Records by site"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        pathname="/seller/record"
        searchParams={searchParams}
        paging={{ page, total, isCapped }}
        empty={
          <EmptyState icon={<Icon name="chart-no-axes-column" />} title="No orders of your sites yet">
            Each site with orders in the last 12 months appears here.
          </EmptyState>
        }
      />
    </section>
  );
}

const figure = (header: string, text: (record: FulfilmentRecord) => string): Column<ListingRecord> => ({
  header,
  phone: 'labeled',
  align: 'right',
  className: 'whitespace-nowrap',
  cell: ({ record }) => (record ? text(record) : noValue),
});

const columns: Column<ListingRecord>[] = [
  {
    header: 'Site',
    phone: 'title',
    className: 'w-full max-w-0 min-w-48',
    cell: (row) => <SiteLink row={row} />,
  },
  { header: 'Orders', phone: 'labeled', align: 'right', cell: ({ orders }) => formatNumber(orders) },
  figure('Accepted in time', ({ acceptedInTime }) => formatShare(acceptedInTime)),
  figure('Delivered in time', ({ deliveredInTime }) => formatShare(deliveredInTime)),
  figure('Median', ({ medianDays }) => (medianDays === null ? '–' : formatMedian(medianDays))),
  figure('Revisions', ({ revisionsPerOrder }) => formatPerOrder(revisionsPerOrder)),
  figure('Disputes lost', ({ disputesLost }) => formatNumber(disputesLost)),
  figure('Alive, 90 days', ({ alive }) => formatAliveOf(alive['90'])),
  { header: 'Reliability', phone: 'end', align: 'right', cell: (row) => <Reliability value={row.reliability} /> },
];

function SiteLink({ row: { id, name } }: { row: ListingRecord }) {
  return (
    <Link
      prefetch={false}
      href={`/seller/my-sites?site=${id}`}
      className="block truncate rounded-sm font-medium text-ink hover:underline"
    >
      {name}
    </Link>
  );
}
