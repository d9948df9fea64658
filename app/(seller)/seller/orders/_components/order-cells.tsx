import Link from 'next/link';
import { CheckNow } from '@/components/links/check-now';
import { CheckResult } from '@/components/links/check-result';
import { DueLine } from '@/components/orders/due-note';
import { Countdown } from '@/components/orders/room/countdown';
import { OrderStatusBadge } from '@/components/orders/state-badges';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { NewestCheck } from '@/lib/orders/link-checks/queries';
import type { SellerOrderView } from '@/lib/orders/order/seller-queries';

/** Renders the number of an order as a link to its page. */
export function OrderLink({ id }: { id: number }) {
  return (
    <Link
      prefetch={false}
      href={`/seller/orders/${id}`}
      aria-label={`Order #${id}`}
      className="inline-flex min-h-6 items-center rounded-sm text-accent-ink tabular-nums hover:underline"
    >
      #{id}
    </Link>
  );
}

type PlacementBadgeProps = { order: Pick<SellerOrderView, 'state' | 'isLate' | 'check' | 'repairDueAt'> };

/** Renders where an order stands for its seller. */
export const PlacementBadge = ({ order }: PlacementBadgeProps) => (
  <OrderStatusBadge order={{ status: null, placement: order, verdict: order.check?.verdict ?? null }} side="seller" />
);

/** Shows the end of the clock of an order, or its last date without one. Overdue is red, the last day yellow. */
export function DueTime({ order }: { order: SellerOrderView }) {
  const clock = clockOf(order);
  if (clock === null) return <span className="no-value text-subtle">–</span>;
  if (!clock.isDue)
    return (
      <span className="text-muted">
        {clock.words} <TimeAgo at={clock.at} />
      </span>
    );
  const now = Date.now();
  const leftMs = Date.parse(clock.at) - now;
  if (leftMs <= 0) return <DueLine due={{ text: clock.words, at: clock.at, isLate: true }} />;
  return (
    <span className={leftMs < nearMs ? 'text-yellow-ink' : 'text-muted'}>
      {clock.words}: <Countdown dueAt={clock.at} now={now} />
    </span>
  );
}

const nearMs = 24 * 3_600_000;

type Clock = { words: string; at: string /** Whether the seller must act until then. */; isDue: boolean };

function clockOf(order: SellerOrderView): Clock | null {
  switch (order.state) {
    case 'offered':
      return { words: 'Answer', at: order.answerDueAt, isDue: true };
    case 'accepted':
    case 'in_revision':
      return order.deliveryDueAt === null ? null : { words: 'Publish', at: order.deliveryDueAt, isDue: true };
    case 'delivered':
      return order.approveDueAt === null ? null : { words: 'Review ends', at: order.approveDueAt, isDue: false };
    case 'approved':
      if (order.repairDueAt) return { words: 'Repair', at: order.repairDueAt, isDue: true };
      return order.approvedAt === null ? null : { words: 'Approved', at: order.approvedAt, isDue: false };
    case 'closed':
      return order.approvedAt === null ? null : { words: 'Approved', at: order.approvedAt, isDue: false };
    default:
      return null;
  }
}

export type OrderToRepair = SellerOrderView & {
  /** Undefined if the link was repaired or lost while the page was read. */
  found: NewestCheck | undefined;
};

/** Shows what the newest check found instead of the link. */
export function Found({ order: { found } }: { order: OrderToRepair }) {
  return found ? <CheckResult {...found} /> : <span className="no-value text-subtle">–</span>;
}

/** Shows since when nothing becomes payable, and what returns to the buyer without a repair. */
export function MoneyAtStake({ order: { state, earnsCents, ripeCents, found } }: { order: OrderToRepair }) {
  if (!found) return <span className="no-value text-subtle">–</span>;
  if (state !== 'approved') return <span className="text-muted">Not approved yet</span>;
  return (
    <span className="grid gap-1">
      {found.notOkSince ? (
        <span className="text-ink">
          Stopped <TimeAgo at={found.notOkSince} />
        </span>
      ) : null}
      {found.repairDueAt ? (
        <span className="text-red-ink text-xs">
          <Money amountMinor={earnsCents - ripeCents} /> returns to the buyer <TimeAgo at={found.repairDueAt} />
        </span>
      ) : (
        <span className="text-muted text-xs">
          <Money amountMinor={earnsCents - ripeCents} /> not payable yet
        </span>
      )}
    </span>
  );
}

export function ReportRepair({ order: { id } }: { order: OrderToRepair }) {
  return (
    <CheckNow
      path={`/api/seller/orders/${id}/repaired`}
      label="Report a repair"
      aria-label={`Report a repair of order #${id}`}
    />
  );
}
