import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import type { PlacementState } from '@/db/schema/placements';
import { formatState } from '@/lib/orders/contract';
import { describeOrderStatus, type StatusFacts } from '@/lib/orders/describe-status';
import type { DisputeView } from '@/lib/orders/disputes/contract';

type OrderStatusBadgeProps = { order: StatusFacts; side: 'buyer' | 'seller' | 'staff' };

/** Renders where an order stands: the one badge of an order, on every screen. */
export function OrderStatusBadge({ order, side }: OrderStatusBadgeProps) {
  const { label, tone } = describeOrderStatus(order, side);
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
}

/** Returns the name of a state at the beginning of a text: "In revision". */
export function placementStateLabel(state: PlacementState): string {
  const name = formatState(state);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const badges = {
  open: { tone: 'yellow', label: 'Open' },
  settled: { tone: 'green', label: 'Settled' },
  withdrawn: { tone: 'grey', label: 'Withdrawn' },
} as const satisfies Record<DisputeView['state'], unknown>;

export function DisputeStateBadge({ state }: { state: DisputeView['state'] }) {
  return <Badge tone={badges[state].tone}>{badges[state].label}</Badge>;
}

/** Marks words of buyer or seller that seem to contain contact data, for staff. */
export const ContactDataBadge = () => (
  <Badge tone="yellow">
    <Icon name="triangle-alert" className="size-3" />
    Contact data
  </Badge>
);
