import Link from 'next/link';
import { bareUrl } from '@/components/orders/bare-url';
import { OrderStatusBadge } from '@/components/orders/order-status-badge';
import { withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button-link';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { AdminOrderRow } from '@/lib/orders/views';

const desk = '/dashboard/features/orders';

type PersonOrdersProps = { userId: string; orders: AdminOrderRow[]; total: number };

/** Somebody's newest orders, each leading to the order desk. */
export function PersonOrders({ userId, orders, total }: PersonOrdersProps) {
  return (
    <Card aria-labelledby="orders-heading">
      <CardHeader
        title={<span id="orders-heading">{`Orders (${total.toLocaleString('en-US')})`}</span>}
        actions={
          total > 0 ? (
            <ButtonLink size="sm" href={withParams(desk, {}, { userId })}>
              All orders
            </ButtonLink>
          ) : null
        }
      />
      {orders.length === 0 ? (
        <CardBody className="text-muted text-sm">No orders yet.</CardBody>
      ) : (
        <ul className="divide-y divide-line">
          {orders.map((order) => (
            <li key={order.id} className="flex items-center gap-3 px-4 py-3 text-sm sm:px-5">
              <div className="min-w-0 flex-1">
                <Link
                  prefetch={false}
                  href={withParams(desk, {}, { userId, order: order.id })}
                  className="block truncate rounded-sm font-medium text-ink hover:underline"
                >
                  {`#${order.id} ${bareUrl(order.website) || order.packageName}`}
                </Link>
                <TimeAgo at={order.createdAt} className="text-muted text-xs" />
              </div>
              <Money amountMinor={order.chargedCents} className="text-ink" />
              <OrderStatusBadge status={order.status} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
