import type { OrderView } from '@/lib/orders/views';
import { bareUrl } from './bare-url';

type OrderItemProps = { order: Pick<OrderView, 'website' | 'packageName' | 'postType' | 'quantity'> };

/** What was ordered, in two lines: the site with its kind of post, or the package with how many. */
export function OrderItem({ order }: OrderItemProps) {
  const { website, packageName, postType, quantity } = order;
  return (
    <span className="block min-w-0">
      <span className="block truncate text-ink">{website ? bareUrl(website) : packageName}</span>
      <span className="block truncate text-muted text-xs">
        {website ? postType : quantity === 1 ? 'Package' : `Package × ${quantity}`}
      </span>
    </span>
  );
}
