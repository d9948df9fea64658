import { FileText } from 'lucide-react';
import { Charged } from '@/components/orders/charged';
import { LiveLink } from '@/components/orders/live-link';
import { OrderItem } from '@/components/orders/order-item';
import { OrderStatusBadge } from '@/components/orders/order-status-badge';
import type { Column } from '@/components/table/data-table';
import { TimeAgo } from '@/components/ui/time-ago';
import type { AdminOrderView } from '@/lib/orders/views';
import { EditLink } from './edit-link';

/** The order desk's table. @param editHref where an order's dialog opens */
export function deskColumns(editHref: (id: number) => string): Column<AdminOrderView>[] {
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
      key: 'buyer',
      header: 'Buyer',
      cell: (order) => (
        <span className="block min-w-0">
          <span className="block truncate text-ink">{order.userName || order.userEmail}</span>
          {order.userName ? <span className="block truncate text-muted text-xs">{order.userEmail}</span> : null}
        </span>
      ),
      className: 'w-[20%] min-w-32 max-w-0',
    },
    {
      key: 'item',
      header: 'Website or package',
      cell: (order) => <OrderItem order={order} />,
      className: 'w-[24%] min-w-36 max-w-0',
    },
    {
      key: 'project',
      header: 'Project',
      cell: (order) => <span className="block truncate">{order.projectDomain}</span>,
      className: 'w-[16%] min-w-28 max-w-0',
    },
    { key: 'charged', header: 'Charged', align: 'right', cell: (order) => <Charged order={order} /> },
    { key: 'status', header: 'Status', cell: (order) => <OrderStatusBadge status={order.status} /> },
    {
      key: 'delivery',
      header: 'Delivery',
      cell: (order) => (
        <span className="block min-w-0">
          {order.linkUrl ? <LiveLink url={order.linkUrl} /> : null}
          {order.contentFileName ? (
            <span className="flex items-center gap-1 text-muted text-xs" title={order.contentFileName}>
              <FileText aria-hidden="true" className="size-3.5 shrink-0" />
              <span className="truncate">{order.contentFileName}</span>
            </span>
          ) : null}
          {order.linkUrl || order.contentFileName ? null : <span className="text-subtle">Nothing yet</span>}
        </span>
      ),
      className: 'w-[24%] min-w-36 max-w-0',
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      align: 'right',
      cell: (order) => <EditLink id={order.id} href={editHref(order.id)} />,
    },
  ];
}
