import type { CaptureRecord, RefundRecord } from './records';

/** A pending refund is not available for another one. */
const counts = ({ status }: RefundRecord) => status === 'COMPLETED' || status === 'PENDING';

/** What of a capture went back to the buyer, in minor units. @param upTo counts up to and with this one */
export function refundedOf(capture: CaptureRecord, upTo?: RefundRecord): number {
  let sum = 0;
  for (const refund of capture.refunds) {
    if (counts(refund))
      sum += refund.amount - (refund.dispute === 'given_back' ? (refund.givenBack ?? refund.amount) : 0);
    if (refund === upTo) break;
  }
  return sum;
}
