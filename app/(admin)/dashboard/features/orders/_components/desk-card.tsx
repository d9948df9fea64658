import { Charged } from '@/components/orders/charged';
import { LiveLink } from '@/components/orders/live-link';
import { OrderItem } from '@/components/orders/order-item';
import { OrderStatusBadge } from '@/components/orders/order-status-badge';
import { TimeAgo } from '@/components/ui/time-ago';
import type { AdminOrderView } from '@/lib/orders/views';
import { EditLink } from './edit-link';

/** One order of the desk on a phone. */
export function DeskCard({ order, editHref }: { order: AdminOrderView; editHref: string }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex items-start justify-between gap-3">
        <OrderItem order={order} />
        <span className="shrink-0 text-right">
          <Charged order={order} />
        </span>
      </div>
      <p className="min-w-0 truncate text-muted text-xs">
        {order.userName || order.userEmail} for {order.projectDomain}
      </p>
      {order.linkUrl ? <LiveLink url={order.linkUrl} className="justify-self-start" /> : null}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex items-center gap-2 text-muted text-xs">
          <OrderStatusBadge status={order.status} />
          <span>
            #{order.id} · <TimeAgo at={order.createdAt} />
          </span>
        </span>
        <EditLink id={order.id} href={editHref} />
      </div>
    </div>
  );
}
