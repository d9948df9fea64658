import { Badge } from '@/components/ui/badge';
import type { SourceRefundState } from '@/db/schema/source-refunds';

/** The labels and colors of the states of a refund to the payment method. */
export const refundStateLabels = {
  requested: { tone: 'yellow', label: 'Requested' },
  processing: { tone: 'blue', label: 'In progress' },
  succeeded: { tone: 'green', label: 'Refunded' },
  failed: { tone: 'red', label: 'Failed' },
  declined: { tone: 'red', label: 'Declined' },
  withdrawn: { tone: 'grey', label: 'Withdrawn' },
} as const satisfies Record<SourceRefundState, unknown>;

export function RefundStateBadge({ state }: { state: SourceRefundState }) {
  return <Badge tone={refundStateLabels[state].tone}>{refundStateLabels[state].label}</Badge>;
}
