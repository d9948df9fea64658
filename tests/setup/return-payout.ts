import type { Actor } from '@/lib/access/actor';
import { approve } from '@/lib/approvals/decide';
import { requestPayoutReturn } from '@/lib/payouts/return';
import { approvalExecutors } from '@/lib/workflows/approval-executors';

/** Returns a payout that was sent or paid with the approval of a second person. */
export async function returnByTwo(first: Actor, second: Actor, id: string, reason = 'AC04'): Promise<void> {
  const { id: request } = await requestPayoutReturn(first, id, { reason });
  await approve(second, request, approvalExecutors);
}
