import Link from 'next/link';
import { Charged } from '@/components/orders/charged';
import { DownloadLink } from '@/components/orders/download-link';
import { LiveLink } from '@/components/orders/live-link';
import { OrderItem } from '@/components/orders/order-item';
import { OrderStatusBadge } from '@/components/orders/order-status-badge';
import { buttonClass } from '@/components/ui/button-class';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OrderView } from '@/lib/orders/views';

/** One order on a phone. */
export function OrderCard({ order, detailsHref }: { order: OrderView; detailsHref: string }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex items-start justify-between gap-3">
        <OrderItem order={order} />
        <span className="shrink-0 text-right">
          <Charged order={order} />
        </span>
      </div>
      {order.linkUrl ? <LiveLink url={order.linkUrl} className="justify-self-start" /> : null}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex items-center gap-2 text-muted text-xs">
          <OrderStatusBadge status={order.status} />
          <span>
            #{order.id} · <TimeAgo at={order.createdAt} />
          </span>
        </span>
        <span className="ml-auto inline-flex gap-1.5">
          {order.contentPath ? <DownloadLink href={order.contentPath} fileName={order.contentFileName} /> : null}
          <Link
            href={detailsHref}
            scroll={false}
            prefetch={false}
            className={buttonClass({ size: 'sm' })}
            aria-label={`Details of order #${order.id}`}
          >
            Details
          </Link>
        </span>
      </div>
    </div>
  );
}
