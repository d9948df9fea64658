import Link from 'next/link';
import { formatUrl } from '@/components/orders/format-url';
import { WaitingNote } from '@/components/orders/waiting-note';
import { ButtonLink } from '@/components/ui/button-link';
import { Card, CardHeader } from '@/components/ui/card';
import { formatCount } from '@/components/ui/format-count';
import type { WaitingOrders as Waiting } from '@/lib/dashboard/attention';

/** The orders that wait for the buyer; nothing if none does. */
export async function WaitingOrders({ waiting }: { waiting: Promise<Waiting | null> }) {
  const found = await waiting;
  if (!found || found.orders.length === 0) return null;
  const { orders, ...count } = found;
  return (
    <Card aria-label="Waiting for you" className="mb-4">
      <CardHeader
        title={`Waiting for you (${formatCount(count)})`}
        actions={
          <ButtonLink href="/user/orders?waiting=1" size="sm">
            Show all
          </ButtonLink>
        }
      />
      <ul className="divide-y divide-line">
        {orders.map(({ unread, ...order }) => (
          <li
            key={order.id}
            className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5 text-sm sm:px-5"
          >
            <Link
              prefetch={false}
              href={`/user/orders/${order.id}`}
              className="min-w-0 truncate rounded-sm font-medium text-ink hover:text-accent-ink hover:underline"
            >
              #{order.id} {formatUrl(order.website || order.packageName)}
            </Link>
            <WaitingNote order={order} unread={unread} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
