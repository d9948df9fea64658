import { Badge } from '@/components/ui/badge';
import type { DisputeView } from '@/lib/orders/disputes/views';

const badges = {
  open: { tone: 'yellow', label: 'Open' },
  settled: { tone: 'green', label: 'Settled' },
  withdrawn: { tone: 'grey', label: 'Withdrawn' },
} as const satisfies Record<DisputeView['state'], unknown>;

export function DisputeStateBadge({ state }: { state: DisputeView['state'] }) {
  return <Badge tone={badges[state].tone}>{badges[state].label}</Badge>;
}
