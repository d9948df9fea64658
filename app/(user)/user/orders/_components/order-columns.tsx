import Link from 'next/link';
import { Charged } from '@/components/orders/charged';
import { DownloadLink } from '@/components/orders/download-link';
import { LiveLink } from '@/components/orders/live-link';
import { OrderItem } from '@/components/orders/order-item';
import { OrderStatusBadge } from '@/components/orders/order-status-badge';
import type { Column } from '@/components/table/data-table';
import { buttonClass } from '@/components/ui/button-class';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OrderView } from '@/lib/orders/views';

/** The buyer's table. @param detailsHref where an order's details open */
export function orderColumns(detailsHref: (id: number) => string): Column<OrderView>[] {
  return [
    {
      key: 'id',
      header: 'Order',
      cell: (order) => (
        <span className="block whitespace-nowrap">
          <span className="block text-ink">#{order.id}</span>
          <TimeAgo at={order.createdAt} className="block text-muted text-xs" />
        </span>
      ),
    },
    {
      key: 'item',
      header: 'Website or package',
      cell: (order) => <OrderItem order={order} />,
      className: 'w-[28%] min-w-36 max-w-0',
    },
    {
      key: 'project',
      header: 'Project',
      cell: (order) => <span className="block truncate">{order.projectDomain}</span>,
      className: 'w-[20%] min-w-28 max-w-0',
    },
    { key: 'charged', header: 'Charged', align: 'right', cell: (order) => <Charged order={order} /> },
    { key: 'status', header: 'Status', cell: (order) => <OrderStatusBadge status={order.status} /> },
    {
      key: 'link',
      header: 'Live link',
      cell: (order) =>
        order.linkUrl ? <LiveLink url={order.linkUrl} /> : <span className="text-subtle">Not yet</span>,
      className: 'w-[26%] min-w-36 max-w-0',
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      align: 'right',
      cell: (order) => (
        <span className="inline-flex gap-1.5">
          {order.contentPath ? <DownloadLink href={order.contentPath} fileName={order.contentFileName} /> : null}
          <Link
            href={detailsHref(order.id)}
            scroll={false}
            prefetch={false}
            className={buttonClass({ size: 'sm' })}
            aria-label={`Details of order #${order.id}`}
          >
            Details
          </Link>
        </span>
      ),
    },
  ];
}
