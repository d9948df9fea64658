import { Link2 } from 'lucide-react';
import Link from 'next/link';
import { bareUrl } from '@/components/orders/bare-url';
import { LiveLink } from '@/components/orders/live-link';
import { OrderStatusBadge } from '@/components/orders/order-status-badge';
import { type Column, DataTable } from '@/components/table/data-table';
import { EmptyState } from '@/components/ui/empty-state';
import { TimeAgo } from '@/components/ui/time-ago';
import { buyerStatus } from '@/lib/orders/buyer-status';
import { type LiveLinkRow, listLiveLinks } from '@/lib/orders/project-figures';
import { defaultProjectPageSize, projectPageSizes } from '@/lib/projects/schemas';
import type { ProjectListProps } from './project-list';

/** The links that are live for a project, with the order each belongs to. */
export async function LiveLinks({ project, pathname, searchParams, page }: ProjectListProps) {
  const { rows, total } = await listLiveLinks(project.id, page);
  return (
    <DataTable
      caption={`Live links of ${project.domain}`}
      columns={columns}
      rows={rows}
      rowKey={(row) => String(row.orderId)}
      card={(row) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          <LiveLink url={row.linkUrl} className="justify-self-start" />
          <span className="truncate text-muted text-xs">{placedOn(row)}</span>
          <span className="flex items-center gap-2 text-muted text-xs">
            <OrderStatusBadge status={buyerStatus(row.status)} />
            <OrderLink id={row.orderId} />
          </span>
        </div>
      )}
      pathname={pathname}
      searchParams={searchParams}
      empty={
        <EmptyState icon={<Link2 />} title="No live links yet">
          A link shows up here as soon as it is placed and online.
        </EmptyState>
      }
      paging={{ page, total, sizes: projectPageSizes, defaultRows: defaultProjectPageSize }}
    />
  );
}

const placedOn = ({ website, packageName }: LiveLinkRow) => (website ? bareUrl(website) : packageName);

const columns: Column<LiveLinkRow>[] = [
  {
    key: 'link',
    header: 'Live link',
    cell: (row) => <LiveLink url={row.linkUrl} />,
    className: 'w-[50%] min-w-48 max-w-0',
  },
  {
    key: 'website',
    header: 'Website or package',
    cell: (row) => <span className="block truncate">{placedOn(row)}</span>,
    className: 'w-[30%] min-w-36 max-w-0',
  },
  { key: 'status', header: 'Status', cell: (row) => <OrderStatusBadge status={buyerStatus(row.status)} /> },
  { key: 'order', header: 'Order', cell: (row) => <OrderLink id={row.orderId} /> },
  {
    key: 'updated',
    header: 'Updated',
    className: 'whitespace-nowrap text-muted',
    cell: (row) => <TimeAgo at={row.updatedAt} />,
  },
];

function OrderLink({ id }: { id: number }) {
  return (
    <Link
      prefetch={false}
      href={`/user/orders?order=${id}`}
      aria-label={`Details of order #${id}`}
      className="inline-flex min-h-6 items-center rounded-sm text-accent-ink tabular-nums hover:underline"
    >
      #{id}
    </Link>
  );
}
