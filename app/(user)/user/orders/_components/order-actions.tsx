import { DownloadLink } from '@/components/orders/download-link';
import { buttonClass } from '@/components/ui/button-class';
import { Link } from '@/components/ui/link';
import type { OrderView } from '@/lib/orders/views';

/** What a buyer does with an order: save its file, open its details. */
export function OrderActions({ order, detailsHref }: { order: OrderView; detailsHref: string }) {
  return (
    <>
      {order.contentPath ? <DownloadLink href={order.contentPath} fileName={order.contentFileName} /> : null}
      <Link
        href={detailsHref}
        scroll={false}
        className={buttonClass({ size: 'sm' })}
        aria-label={`Details of order #${order.id}`}
      >
        Details
      </Link>
    </>
  );
}
