import type { IntentRecord } from './records';

/** Sums the successful refunds of a payment, in integer minor units. */
export function sumRefunds(intent: IntentRecord): number {
  return intent.refunds.reduce((sum, refund) => (refund.status === 'succeeded' ? sum + refund.amount : sum), 0);
}
