import { toast } from 'sonner';
import { formatMoney } from '@/lib/money';
import type { StartedRefundView } from '@/lib/payments/reversals/source-refunds/views';

/** Shows the result of a refund that staff created or approved. */
export function announceStartedRefund({ refund, approvalId }: StartedRefundView): void {
  if (approvalId !== null || refund === null) {
    toast.info('The amount needs the approval of a second person.');
    return;
  }
  const money = formatMoney(refund.amountCents, refund.currency);
  if (refund.state === 'succeeded') toast.success(`${money} refunded.`);
  else if (refund.state === 'failed') toast.error(`The refund failed: ${refund.error || refund.answer}`);
  else if (refund.error) toast.error(`The refund is repeated automatically: ${refund.error}`);
  else toast.success(`The refund of ${money} is in progress.`);
}
