import type { Executor } from '@/db/client';
import type { orders } from '@/db/schema/orders';
import type { PlacementState } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { exceedsApprovalLimit } from '@/lib/approvals/limit';
import { type Approval, ApprovalRequired, requireOthersAccount, withApproval } from '@/lib/approvals/request';
import { approvalPayloads } from '@/lib/approvals/schemas';
import { AppError } from '@/lib/errors';
import { formatUsd } from '@/lib/money';

type Refund = {
  /** USD cents. */
  amountCents: number;
  isRejection: boolean;
  /** The comment that the request writes; undefined for none. */
  adminComments?: string | undefined;
  /** The reason of the step, for the buyer. */
  reason?: string | undefined;
  /** The state of the order's placement; undefined without one. */
  placementState?: PlacementState | undefined;
  /** The approved request, when this is its execution. */
  approval: Approval | undefined;
};

/**
 * Requires that a refund by staff benefits another user and, above the limit, that exactly this amount was approved, in the
 * same state of the placement: an approval before the delivery does not return what the seller earned with it.
 * @throws AppError forbidden for an order of the actor, conflict for an approval of another amount or state
 * @throws ApprovalRequired for a refund above the approval limit
 */
export async function requireRefundAllowed(
  tx: Executor,
  actor: Actor,
  order: Pick<typeof orders.$inferSelect, 'id' | 'accountId'>,
  { amountCents, isRejection, adminComments, reason, placementState, approval }: Refund,
): Promise<void> {
  await requireOthersAccount(tx, actor, order.accountId, 'refund your own order');
  if (approval) {
    const requested = approvalPayloads.order_refund.parse(approval.payload);
    if (approval.amountCents === amountCents && requested.placementState === placementState) return;
    throw new AppError('conflict', `Order #${order.id} has changed since the refund was requested. Request it again.`);
  }
  if (!(await exceedsApprovalLimit(tx, actor, 'order_refund', amountCents, order.accountId))) return;
  throw new ApprovalRequired({
    kind: 'order_refund',
    subject: `order:${order.id}`,
    payload: {
      orderId: order.id,
      amountCents,
      isRejection,
      ...(adminComments !== undefined && { adminComments }),
      ...(reason && { reason }),
      ...(placementState && { placementState }),
    },
    summary: `Refund order #${order.id}: ${formatUsd(amountCents)}.`,
    amountCents,
    beneficiaryId: order.accountId,
  });
}

/** Runs a transaction of staff that may refund the buyer. @throws AppError conflict as `withApproval` */
export const withRefundApproval = <T>(actor: Actor, work: () => Promise<T>): Promise<T> =>
  withApproval(actor, work, ['refund', 'the order stays unchanged']);
