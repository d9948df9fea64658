import type { Column } from '@/components/table/data-table';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OrderView } from '@/lib/orders/views';
import { ChargedAmount } from './charged-amount';
import { DueNote } from './due-note';
import { OrderItem } from './order-item';
import { OrderStatusBadge } from './order-status-badge';

type ListedOrder = Pick<
  OrderView,
  | 'id'
  | 'createdAt'
  | 'website'
  | 'postType'
  | 'packageName'
  | 'quantity'
  | 'projectDomain'
  | 'chargedCents'
  | 'price'
  | 'currency'
  | 'status'
>;

/** The columns that the buyer's table and the admin Orders screen share. Each table adds its own columns and widths. */
export const orderColumns = {
  id: {
    key: 'id',
    header: 'Order',
    cell: (order) => (
      <span className="block whitespace-nowrap">
        <span className="block text-ink">{`#${order.id}`}</span>
        <TimeAgo at={order.createdAt} className="block text-muted text-xs" />
      </span>
    ),
  },
  item: { key: 'item', header: 'Website or package', cell: (order) => <OrderItem order={order} /> },
  project: {
    key: 'project',
    header: 'Project',
    cell: (order) => <span className="block truncate">{order.projectDomain}</span>,
  },
  charged: { key: 'charged', header: 'Charged', align: 'right', cell: (order) => <ChargedAmount order={order} /> },
  status: { key: 'status', header: 'Status', cell: (order) => <OrderStatusBadge status={order.status} /> },
} satisfies Record<string, Column<ListedOrder>>;

/** The status of a buyer's order, with the day by which its seller acts. */
export const dueStatusColumn: Column<OrderView> = {
  ...orderColumns.status,
  cell: ({ status, placement }) => (
    <>
      <OrderStatusBadge status={status} />
      <DueNote placement={placement} className="mt-1 whitespace-nowrap" />
    </>
  ),
};
