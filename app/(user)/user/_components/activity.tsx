import Link from 'next/link';
import type { ReactNode } from 'react';
import { PendingTopup } from '@/app/(user)/user/(screens)/wallet/_components/pending-topup';
import { Timeline, type TimelineItem } from '@/components/dashboard/timeline';
import { DueNote, WaitingNote } from '@/components/orders/due-note';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { formatCount, formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { TransactionAmount } from '@/components/wallet/transaction-columns';
import type { WaitingOrders as Waiting } from '@/lib/dashboard/attention';
import { type BuyerEvent, shownEvents } from '@/lib/dashboard/buyer';
import type { LostLink, NextDelivery } from '@/lib/dashboard/buyer-figures';
import { mergeNewest } from '@/lib/dashboard/seller';
import { type BuyerTab, buyerTabLabels } from '@/lib/orders/contract';
import type { HasRight } from './tiles';

/** Renders the orders that wait for the buyer; nothing if none does. */
export function WaitingOrders({ waiting: { orders, tabs, ...count } }: { waiting: Waiting }) {
  return (
    <OrderList
      title={`Waiting for you (${formatCount(count)})`}
      label="Waiting for you"
      actions={
        <span className="flex flex-wrap gap-1.5">
          {(['review', 'late', 'repair', 'changes'] as const)
            .filter((tab) => tabs[tab].total > 0)
            .map((tab) => (
              <ButtonLink key={tab} href={`/user/orders?tab=${tab}`} size="sm">
                {`${buyerTabLabels[tab]} (${formatCount(tabs[tab])})`}
              </ButtonLink>
            ))}
        </span>
      }
      className="mb-4"
      rows={orders.map(({ unread, change, ...order }) => ({
        id: order.id,
        name: order.website || order.packageName,
        note: <WaitingNote order={order} unread={unread} change={change} />,
      }))}
    />
  );
}

/** Renders the deliveries and answers of sellers that are due next, overdue ones first; nothing without any. */
export function NextDue({ deliveries }: { deliveries: readonly NextDelivery[] }) {
  return (
    <OrderList
      title="Next due"
      actions={<TabLink tab="waiting" />}
      rows={deliveries.map((delivery) => ({
        id: delivery.id,
        name: delivery.website,
        note: <DueNote placement={delivery} />,
      }))}
    />
  );
}

/** Renders the links that were lost this month or are missing now; nothing without any. */
export function LostLinks({ links }: { links: readonly LostLink[] }) {
  return (
    <OrderList
      title="Lost and missing links"
      actions={links.some(({ lostAt }) => lostAt === null) ? <TabLink tab="repair" /> : null}
      rows={links.map(({ id, name, lostAt, missingSince }) => ({ id, name, note: describeLoss(lostAt, missingSince) }))}
    />
  );
}

/** Renders the link from a card to the tab of My Orders that has all of its orders. */
const TabLink = ({ tab }: { tab: BuyerTab }) => (
  <ButtonLink href={`/user/orders?tab=${tab}`} size="sm">
    {buyerTabLabels[tab]}
  </ButtonLink>
);

function describeLoss(lostAt: Date | null, missingSince: Date | null): ReactNode {
  const since = lostAt ?? missingSince;
  return (
    <span className={lostAt ? 'font-medium text-red-ink text-xs' : 'text-muted text-xs'}>
      {lostAt ? 'Lost' : 'Missing since'} {since ? <TimeAgo at={since} /> : null}
    </span>
  );
}

type OrderListProps = {
  title: string;
  /** The name of the region, if it is not the title. */
  label?: string;
  actions?: ReactNode;
  className?: string;
  rows: readonly { id: number; name: string; note: ReactNode }[];
};

/** Renders a card of orders, each with a link and a note; nothing without any. */
function OrderList({ title, label = title, actions, className, rows }: OrderListProps) {
  if (rows.length === 0) return null;
  return (
    <Card aria-label={label} className={className}>
      <CardHeader title={title} actions={actions} className="flex-wrap" />
      <ul className="divide-y divide-line">
        {rows.map(({ id, name, note }) => (
          <li
            key={id}
            className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5 text-sm sm:px-5"
          >
            <Link
              prefetch={false}
              href={`/user/orders/${id}`}
              className="min-w-0 truncate rounded-sm py-0.5 font-medium text-ink hover:text-accent-ink hover:underline"
            >
              #{id} {formatUrl(name)}
            </Link>
            {note}
          </li>
        ))}
      </ul>
    </Card>
  );
}

type RecentActivityProps = {
  orders: readonly BuyerEvent[];
  transactions: readonly BuyerEvent[];
  has: HasRight;
};

/** Lists the buyer's newest orders and transactions in one timeline. */
export function RecentActivity({ orders, transactions, has }: RecentActivityProps) {
  const events = mergeNewest([orders, transactions], shownEvents);
  return (
    <Card>
      <CardHeader title="Recent activity" />
      {events.length > 0 ? (
        <Timeline items={events.map(itemOf)} />
      ) : (
        <EmptyState
          icon={<Icon name="rotate-ccw-clock" />}
          title="No activity yet"
          action={
            has('account:orders') ? <ButtonLink href="/user/marketplace">Browse the marketplace</ButtonLink> : null
          }
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
      icon: <Icon name="receipt-text" />,
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
    icon: isCredit ? <Icon name="arrow-down-left" /> : <Icon name="arrow-up-right" />,
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
