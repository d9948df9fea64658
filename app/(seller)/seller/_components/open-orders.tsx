import { CalendarClock, Inbox, PencilLine, Unlink2 } from 'lucide-react';
import Link from 'next/link';
import { DueLine } from '@/components/orders/due-note';
import { formatUrl } from '@/components/orders/format-url';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { formatCount } from '@/components/ui/format-count';
import { StatTile } from '@/components/ui/stat-tile';
import { TimeAgo } from '@/components/ui/time-ago';
import type { DueOrder, SellerWork } from '@/lib/dashboard/seller';
import { getEarnings } from '@/lib/earnings/statement';
import { EarnedThisMonth } from './earned-this-month';

type OrderTilesProps = { sellerId: string; work: Pick<SellerWork, 'toAnswer' | 'toPublish' | 'toRepair'> };

/** The seller's open orders and earnings. Each tile links to its list. */
export async function OrderTiles({ sellerId, work: { toAnswer, toPublish, toRepair } }: OrderTilesProps) {
  const { months } = await getEarnings(sellerId);
  return (
    <>
      <StatTile
        label="To Answer"
        value={formatCount(toAnswer)}
        hint="new orders"
        icon={Inbox}
        href="/seller/orders?tab=new"
      />
      <StatTile
        label="To Publish"
        value={formatCount(toPublish)}
        hint="placements and changes"
        icon={PencilLine}
        href="/seller/orders?tab=publish"
      />
      <StatTile
        label="To Repair"
        value={formatCount(toRepair)}
        hint="missing or changed links"
        icon={Unlink2}
        href="/seller/orders?tab=repair"
      />
      <EarnedThisMonth months={months} href="/seller/earnings" />
    </>
  );
}

/** Lists the orders that are due next. */
export function NextDue({ orders }: { orders: SellerWork['next'] }) {
  return (
    <Card>
      <CardHeader title="Next Due" />
      {orders.length > 0 ? (
        <ul className="divide-y divide-line">
          {orders.map((order) => (
            <li key={order.id}>
              <DueLink order={order} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState icon={<CalendarClock />} title="Nothing is due">
          Orders that need your answer or a publication appear here.
        </EmptyState>
      )}
    </Card>
  );
}

function DueLink({ order: { id, website, isToAnswer, dueAt } }: { order: DueOrder }) {
  return (
    <Link
      prefetch={false}
      href={`/seller/orders/${id}`}
      className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-3 text-sm hover:bg-sunken sm:px-5"
    >
      <span className="min-w-0 flex-1 truncate text-ink">
        <span className="text-muted">#{id}</span> {formatUrl(website)}
      </span>
      <span className="text-muted">{isToAnswer ? 'Answer' : 'Publish'}</span>
      {dueAt < new Date() ? (
        <DueLine due={{ text: 'due', at: dueAt.toISOString(), isLate: true }} />
      ) : (
        <span className="text-muted">
          due <TimeAgo at={dueAt} />
        </span>
      )}
    </Link>
  );
}
