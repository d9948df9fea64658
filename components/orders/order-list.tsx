import type { ComponentProps } from 'react';
import type { Column } from '@/components/table/data-table';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OrderView } from '@/lib/orders/contract';
import type { StatusFacts } from '@/lib/orders/describe-status';
import { DueNote } from './due-note';
import { OrderItem } from './order-facts';
import { OrderStatusBadge } from './state-badges';

type ChargedAmountProps = {
  /** `taxCents`: in the lists of buyers, whose wallets paid it as well. */
  order: Pick<OrderView, 'chargedCents' | 'price' | 'currency'> & Partial<Pick<OrderView, 'taxCents'>>;
};

/** Renders the amount charged to the wallet with its tax, and the listed price where that is in another currency. */
function ChargedAmount({ order }: ChargedAmountProps) {
  return (
    <span className="inline-flex flex-col">
      <Money amountMinor={order.chargedCents} className="text-ink" />
      {order.taxCents ? (
        <span className="text-muted text-xs">
          + <Money amountMinor={order.taxCents} /> tax
        </span>
      ) : null}
      {order.currency === 'USD' ? null : (
        <Money amountMinor={Math.round(order.price * 100)} currency={order.currency} className="text-muted text-xs" />
      )}
    </span>
  );
}

type ListedOrder = Pick<OrderView, 'id' | 'createdAt' | 'projectDomain'> &
  ChargedAmountProps['order'] &
  ComponentProps<typeof OrderItem>['order'];

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
  item: { key: 'item', header: 'Website or package', phone: 'title', cell: (order) => <OrderItem order={order} /> },
  project: {
    key: 'project',
    header: 'Project',
    cell: (order) => <span className="block truncate">{order.projectDomain}</span>,
  },
  charged: {
    key: 'charged',
    header: 'Charged',
    align: 'right',
    phone: 'end',
    cell: (order) => <ChargedAmount order={order} />,
  },
} satisfies Record<string, Column<ListedOrder>>;

/** An order with the newest check of its link, or that it was lost; null before the first. */
export type CheckedOrder = OrderView & Pick<StatusFacts, 'verdict'>;

/** The status of a buyer's order, with the day by which its seller acts. */
export const dueStatusColumn: Column<CheckedOrder> = {
  key: 'status',
  header: 'Status',
  cell: (order) => (
    <>
      <OrderStatusBadge order={order} side="buyer" />
      <DueNote placement={order.placement} className="mt-1 whitespace-nowrap" />
    </>
  ),
};
