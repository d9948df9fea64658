import { Badge } from '@/components/ui/badge';
import type { PayoutState } from '@/db/schema/payouts';

/** The labels and colors of the states of a payout. */
export const payoutStateLabels = {
  requested: { tone: 'yellow', label: 'Requested' },
  approved: { tone: 'blue', label: 'Approved' },
  sent: { tone: 'blue', label: 'Sent' },
  paid: { tone: 'green', label: 'Paid' },
  failed: { tone: 'red', label: 'Failed' },
  returned: { tone: 'red', label: 'Returned' },
  withdrawn: { tone: 'grey', label: 'Withdrawn' },
} as const satisfies Record<PayoutState, unknown>;

export function PayoutStateBadge({ state }: { state: PayoutState }) {
  return <Badge tone={payoutStateLabels[state].tone}>{payoutStateLabels[state].label}</Badge>;
}
