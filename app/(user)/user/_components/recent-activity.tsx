import { ArrowDownLeft, ArrowUpRight, History, ReceiptText } from 'lucide-react';
import Link from 'next/link';
import { PendingTopup } from '@/app/(user)/user/wallet/_components/pending-topup';
import { Timeline, type TimelineItem } from '@/components/dashboard/timeline';
import { formatUrl } from '@/components/orders/format-url';
import { ButtonLink } from '@/components/ui/button-link';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Money } from '@/components/ui/money';
import { TransactionAmount } from '@/components/wallet/transaction-cells';
import { type BuyerEvent, shownEvents } from '@/lib/dashboard/buyer';
import { mergeNewest } from '@/lib/dashboard/seller';

type RecentActivityProps = { orders: Promise<BuyerEvent[]>; transactions: Promise<BuyerEvent[]> };

/** Lists the buyer's newest orders and transactions in one timeline. */
export async function RecentActivity(props: RecentActivityProps) {
  const events = mergeNewest(await Promise.all([props.orders, props.transactions]), shownEvents);
  return (
    <Card>
      <CardHeader title="Recent activity" />
      {events.length > 0 ? (
        <Timeline items={events.map(itemOf)} />
      ) : (
        <EmptyState
          icon={<History />}
          title="No activity yet"
          action={<ButtonLink href="/user/marketplace">Browse the marketplace</ButtonLink>}
        >
          Your orders and payments appear here.
        </EmptyState>
      )}
    </Card>
  );
}

function itemOf(event: BuyerEvent): TimelineItem {
  const { id, at, amountCents } = event;
  if (event.kind === 'order') {
    return {
      id,
      at,
      icon: <ReceiptText />,
      title: (
        <>
          Ordered{' '}
          <Link
            prefetch={false}
            href={`/user/orders?order=${event.number}`}
            className="rounded-sm font-medium hover:text-accent-ink hover:underline"
          >
            {formatUrl(event.what)}
          </Link>
        </>
      ),
      detail: `Order #${event.number}, ${event.status}`,
      aside: <Money amountMinor={amountCents} className="text-muted" />,
    };
  }
  const isCredit = event.type === 'credit';
  return {
    id,
    at,
    icon: isCredit ? <ArrowDownLeft /> : <ArrowUpRight />,
    title: event.note || (isCredit ? 'Money added' : 'Money spent'),
    detail: [isCredit ? 'Wallet credit' : 'Wallet debit', event.method, event.pending ? 'Pending' : '']
      .filter((part) => part !== '' && part !== 'Wallet')
      .join(', '),
    aside: (
      <>
        <TransactionAmount type={event.type} amountCents={amountCents} isPending={event.pending !== null} />
        {event.pending ? <PendingTopup topup={event.pending} className="mt-1.5 justify-end" /> : null}
      </>
    ),
  };
}
