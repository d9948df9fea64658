import { FileText } from 'lucide-react';
import { LiveLink } from '@/components/orders/live-link';
import { orderColumns } from '@/components/orders/order-columns';
import type { Column } from '@/components/table/data-table';
import type { AdminOrderView } from '@/lib/orders/views';
import { EditLink } from './edit-link';

/** The order desk's table. @param editHref where an order's dialog opens */
export function deskColumns(editHref: (id: number) => string): Column<AdminOrderView>[] {
  return [
    orderColumns.id,
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
    { ...orderColumns.item, className: 'w-[24%] min-w-36 max-w-0' },
    { ...orderColumns.project, className: 'w-[16%] min-w-28 max-w-0' },
    orderColumns.charged,
    orderColumns.status,
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
