import { TriangleAlert } from 'lucide-react';
import { Badge, type Tone } from '@/components/ui/badge';
import type { PlacementState } from '@/db/schema/placements';
import { formatState, type OrderView } from '@/lib/orders/contract';
import type { DisputeView } from '@/lib/orders/disputes/contract';

const orderTones: Record<OrderView['status'], Tone> = {
  Pending: 'yellow',
  Processing: 'blue',
  Live: 'green',
  Completed: 'green',
  Rejected: 'red',
  Refunded: 'grey',
};

export function OrderStatusBadge({ status }: { status: OrderView['status'] }) {
  return (
    <Badge tone={orderTones[status]} dot>
      {status}
    </Badge>
  );
}

const placementTones: Record<PlacementState, Tone> = {
  offered: 'yellow',
  accepted: 'blue',
  delivered: 'blue',
  in_revision: 'yellow',
  disputed: 'red',
  approved: 'green',
  closed: 'green',
  lost: 'red',
  settled: 'grey',
  declined: 'grey',
  expired: 'grey',
  cancelled: 'grey',
  taken_over: 'grey',
};

/** Returns the name of a state at the beginning of a text: "In revision". */
export function placementStateLabel(state: PlacementState): string {
  const name = formatState(state);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Renders the state of a placement. */
export function PlacementStateBadge({ state }: { state: PlacementState }) {
  return <Badge tone={placementTones[state]}>{placementStateLabel(state)}</Badge>;
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
    <TriangleAlert className="size-3" />
    Contact data
  </Badge>
);
