import type { ComponentProps, ReactNode } from 'react';
import type { Column } from '@/components/table/data-table';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OrderView } from '@/lib/orders/contract';
import { DueNote } from './due-note';
import { OrderItem } from './order-facts';
import { LiveLink } from './order-links';
import { OrderStatusBadge } from './state-badges';

type ChargedAmountProps = { order: Pick<OrderView, 'chargedCents' | 'price' | 'currency'> };

/** Renders the amount charged to the wallet, and the listed price where that is in another currency. */
function ChargedAmount({ order }: ChargedAmountProps) {
  return (
    <span className="inline-flex flex-col">
      <Money amountMinor={order.chargedCents} className="text-ink" />
      {order.currency === 'USD' ? null : (
        <Money amountMinor={Math.round(order.price * 100)} currency={order.currency} className="text-muted text-xs" />
      )}
    </span>
  );
}

type ListedOrder = Pick<OrderView, 'id' | 'createdAt' | 'projectDomain' | 'status'> &
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

type OrderCardProps = {
  order: OrderView;
  /** A line below the item, e.g. the buyer. */
  note?: ReactNode;
  fulfilledBy?: string | null;
  /** The result of the newest check of the link. */
  linkCheck?: ReactNode;
  /** What waits for the user. */
  waiting?: ReactNode;
  actions: ReactNode;
};

/** Renders an order as a card on narrow screens. */
export function OrderCard({ order, note, fulfilledBy, linkCheck, waiting, actions }: OrderCardProps) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex items-start justify-between gap-3">
        <OrderItem order={order} fulfilledBy={fulfilledBy} />
        <span className="shrink-0 text-right">
          <ChargedAmount order={order} />
        </span>
      </div>
      {note ? <p className="min-w-0 truncate text-muted text-xs">{note}</p> : null}
      <DueNote placement={order.placement} />
      {waiting}
      {order.linkUrl ? <LiveLink url={order.linkUrl} className="justify-self-start" /> : null}
      {linkCheck ? <p className="flex items-center gap-1.5 text-muted text-xs">Link check {linkCheck}</p> : null}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex items-center gap-2 text-muted text-xs">
          <OrderStatusBadge status={order.status} />
          <span>
            #{order.id} · <TimeAgo at={order.createdAt} />
          </span>
        </span>
        <span className="ml-auto inline-flex gap-1.5">{actions}</span>
      </div>
    </div>
  );
}
