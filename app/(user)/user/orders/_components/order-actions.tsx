import { Download, ReceiptText } from 'lucide-react';
import Link from 'next/link';
import { RowMenu } from '@/components/table/row-actions';
import { buttonClass } from '@/components/ui/button-class';
import { MenuLink } from '@/components/ui/menu';
import type { OrderView } from '@/lib/orders/views';

/** The buyer's actions for an order: its details and, once delivered, its file. */
export function OrderActions({ order, detailsHref }: { order: OrderView; detailsHref: string }) {
  if (!order.contentPath) {
    return (
      <Link
        prefetch={false}
        href={detailsHref}
        scroll={false}
        className={buttonClass({ size: 'sm' })}
        aria-label={`Details of order #${order.id}`}
      >
        Details
      </Link>
    );
  }
  return (
    <RowMenu name={`order #${order.id}`}>
      <MenuLink href={detailsHref} scroll={false} icon={<ReceiptText className="size-4" />}>
        Details
      </MenuLink>
      <MenuLink href={order.contentPath} download="" icon={<Download className="size-4" />}>
        Download
      </MenuLink>
    </RowMenu>
  );
}
