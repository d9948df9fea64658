import type { IntentRecord, RefundRecord } from './records';

/** Checks whether a refund counts. A pending refund has left the balance. */
const isCounted = ({ status }: RefundRecord) => status === 'succeeded' || status === 'pending';

/** Sums the refunds of a payment that succeeded or are pending, in integer minor units. */
export function sumRefunds(intent: IntentRecord): number {
  return intent.refunds.reduce((sum, refund) => (isCounted(refund) ? sum + refund.amount : sum), 0);
}
