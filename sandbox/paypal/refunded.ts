import type { CaptureRecord, RefundRecord } from './records';

/** Checks whether a refund counts. A pending refund reduces the refundable amount. */
const isCounted = ({ status }: RefundRecord) => status === 'COMPLETED' || status === 'PENDING';

/** Sums the refunds of a capture in minor units. @param upTo the last refund to include */
export function sumRefunds(capture: CaptureRecord, upTo?: RefundRecord): number {
  let sum = 0;
  for (const refund of capture.refunds) {
    if (isCounted(refund))
      sum += refund.amount - (refund.dispute === 'given_back' ? (refund.givenBack ?? refund.amount) : 0);
    if (refund === upTo) break;
  }
  return sum;
}
