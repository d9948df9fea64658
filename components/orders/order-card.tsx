import type { ReactNode } from 'react';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OrderView } from '@/lib/orders/views';
import { ChargedAmount } from './charged-amount';
import { DueNote } from './due-note';
import { LiveLink } from './live-link';
import { OrderItem } from './order-item';
import { OrderStatusBadge } from './order-status-badge';

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

/** An order as a card on narrow screens. */
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
