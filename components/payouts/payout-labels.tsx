import { Badge } from '@/components/ui/badge';
import type { PayoutMethodKind, PayoutState } from '@/db/schema/payouts';

/** The names of the kinds of payout methods. */
export const payoutMethodNames = {
  bank: 'Bank account',
  paypal: 'PayPal',
  agreement: 'By agreement',
} as const satisfies Record<PayoutMethodKind, string>;

type PayoutMethodLabelProps = { kind: PayoutMethodKind; lastFour: string };

/** Renders the name of a payout method with the last four characters of its account. */
export function PayoutMethodLabel({ kind, lastFour }: PayoutMethodLabelProps) {
  return (
    <span className="whitespace-nowrap">
      {payoutMethodNames[kind]}
      {lastFour ? (
        <>
          <span aria-hidden="true"> •••• </span>
          <span className="sr-only"> ending in </span>
          {lastFour}
        </>
      ) : null}
    </span>
  );
}

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
