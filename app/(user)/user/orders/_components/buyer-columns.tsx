import { LiveLink } from '@/components/orders/live-link';
import { orderColumns } from '@/components/orders/order-columns';
import type { Column } from '@/components/table/data-table';
import type { OrderView } from '@/lib/orders/views';
import { OrderActions } from './order-actions';

/** The buyer's table. @param detailsHref where an order's details open */
export function buyerColumns(detailsHref: (id: number) => string): Column<OrderView>[] {
  return [
    orderColumns.id,
    { ...orderColumns.item, className: 'w-[28%] min-w-36 max-w-0' },
    { ...orderColumns.project, className: 'w-[20%] min-w-28 max-w-0' },
    orderColumns.charged,
    orderColumns.status,
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
      cell: (order) => <OrderActions order={order} detailsHref={detailsHref(order.id)} />,
    },
  ];
}
