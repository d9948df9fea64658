import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import type { PlacementState } from '@/db/schema/placements';
import { formatState } from '@/lib/orders/placements/states';

const tones: Record<PlacementState, Tone> = {
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

/** The name of a state at the beginning of a text: "In revision". */
export function placementStateLabel(state: PlacementState): string {
  const name = formatState(state);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The state of a placement. */
export function PlacementStateBadge({ state }: { state: PlacementState }) {
  return <Badge tone={tones[state]}>{placementStateLabel(state)}</Badge>;
}
