import { type Fact, FactList } from '@/components/ui/fact-list';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OrderView } from '@/lib/orders/views';
import { LiveLink } from './live-link';

/** The details of an order. `extra` comes first, e.g. the buyer on the admin Orders screen. */
export function OrderFacts({ order, extra = [] }: { order: OrderView; extra?: Fact[] }) {
  const facts: Fact[] = [
    ...extra,
    order.website ? ['Website', <LiveLink key="site" url={order.website} />] : ['Package', order.packageName],
    ...(order.packageDesc ? [['Includes', order.packageDesc] satisfies Fact] : []),
    order.website ? ['Post type', order.postType] : ['Quantity', order.quantity],
    [
      'Price',
      <span key="price">
        <Money amountMinor={Math.round(order.price * 100)} currency={order.currency} />
        {order.currency === 'USD' ? null : (
          <span className="text-muted">
            {', charged '}
            <Money amountMinor={order.chargedCents} />
          </span>
        )}
      </span>,
    ],
    ['Project', order.projectDomain],
    ['Target URL', <LiveLink key="target" url={order.projectTargetUrl} />],
    ['Keywords', order.projectKeywords],
    ['Ordered', <TimeAgo key="at" at={order.createdAt} />],
  ];
  return <FactList facts={facts} />;
}
