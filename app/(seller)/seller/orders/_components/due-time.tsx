import { DueLine } from '@/components/orders/due-note';
import { Countdown } from '@/components/orders/room/countdown';
import { TimeAgo } from '@/components/ui/time-ago';
import type { SellerOrderView } from '@/lib/orders/placements/seller-queries';

/** The end of the clock of an order, or the last date of one that has none. Overdue is red, the last day yellow. */
export function DueTime({ order }: { order: SellerOrderView }) {
  const clock = clockOf(order);
  if (clock === null) return <span className="text-subtle">–</span>;
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
