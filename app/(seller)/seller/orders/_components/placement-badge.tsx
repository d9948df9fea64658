import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import type { SellerOrderView } from '@/lib/orders/placements/seller-queries';

/** What each state means for the seller. */
const states: Record<SellerOrderView['state'], { label: string; tone: Tone }> = {
  offered: { label: 'New', tone: 'yellow' },
  accepted: { label: 'To publish', tone: 'blue' },
  in_revision: { label: 'Change requested', tone: 'yellow' },
  delivered: { label: 'In review', tone: 'blue' },
  disputed: { label: 'Disputed', tone: 'red' },
  approved: { label: 'Approved', tone: 'green' },
  closed: { label: 'Completed', tone: 'green' },
  settled: { label: 'Settled', tone: 'grey' },
  declined: { label: 'Declined', tone: 'grey' },
  expired: { label: 'Expired', tone: 'grey' },
  cancelled: { label: 'Canceled', tone: 'grey' },
  lost: { label: 'Link lost', tone: 'red' },
  taken_over: { label: 'Taken over', tone: 'grey' },
};

type PlacementBadgeProps = { order: Pick<SellerOrderView, 'state' | 'isLate' | 'check' | 'repairDueAt'> };

/** The state of an order for its seller, whether the delivery is late, and whether the link must be repaired. */
export function PlacementBadge({ order: { state, isLate, check, repairDueAt } }: PlacementBadgeProps) {
  const { label, tone } = states[state];
  const isToRepair = state === 'approved' && (check?.verdict === 'changed' || (repairDueAt ?? null) !== null);
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={tone} dot>
        {label}
      </Badge>
      {isLate ? <Badge tone="red">Late</Badge> : null}
      {isToRepair ? <Badge tone="red">To repair</Badge> : null}
    </span>
  );
}
