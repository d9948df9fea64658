import type { OrderView } from '@/lib/orders/views';
import { formatUrl } from './format-url';

type OrderItemProps = {
  order: Pick<OrderView, 'website' | 'packageName' | 'postType' | 'quantity'>;
  /** Who fulfills the order, if the list shows it. */
  fulfilledBy?: string | null;
};

/** The item of an order in two lines: the site with its post type, or the package with its quantity. */
export function OrderItem({ order, fulfilledBy = null }: OrderItemProps) {
  const { website, packageName, postType, quantity } = order;
  return (
    <span className="block min-w-0">
      <span className="block truncate text-ink">{website ? formatUrl(website) : packageName}</span>
      <span className="block truncate text-muted text-xs">
        {website ? postType : quantity === 1 ? 'Package' : `Package × ${quantity}`}
        {fulfilledBy ? ` · ${fulfilledBy}` : ''}
      </span>
    </span>
  );
}
