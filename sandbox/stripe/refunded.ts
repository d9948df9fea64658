import type { IntentRecord } from './records';

/** What of a payment was given back and did not return, in integer minor units. */
export function refundedOf(intent: IntentRecord): number {
  return intent.refunds.reduce((sum, refund) => (refund.status === 'succeeded' ? sum + refund.amount : sum), 0);
}
