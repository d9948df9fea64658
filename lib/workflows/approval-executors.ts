import type { ApprovalExecutors } from '@/lib/approvals/decide';
import { saveApprovalLimit } from '@/lib/approvals/limit';
import { applyExchangeRate } from '@/lib/approvals/set-exchange-rate';
import { decideDisputeIn } from '@/lib/orders/disputes/decide';
import { updateOrderIn } from '@/lib/orders/order/update';
import { creditApprovedLine } from '@/lib/payments/bank-transfers/credit';
import { startApprovedRefund } from '@/lib/payments/reversals/source-refunds/create';
import { returnApprovedPayout } from '@/lib/payouts/return';
import { saveApprovedPayoutRules } from '@/lib/payouts/rules';
import { saveApprovedFeatureRole } from '@/lib/roles/feature-roles/feature-roles';
import { grantPermissionIn } from '@/lib/roles/roles';
import { resetTwoStep } from '@/lib/users/reset-two-step';
import { assignApprovedRole } from '@/lib/users/users';
import { creditWallet } from '@/lib/wallet/manual-topup';

/** The effect of each kind of approval. Uses the same functions as changes that need no approval. */
export const approvalExecutors: ApprovalExecutors = {
  manual_topup: async (tx, actor, credit, approval) => {
    await creditWallet(tx, actor, { ...credit, approval });
  },
  order_refund: async (tx, actor, { orderId, isRejection, adminComments, reason }, approval) => {
    await updateOrderIn(tx, actor, orderId, { status: 'Refunded', isRejection, adminComments }, { approval, reason });
  },
  dispute_decision: async (tx, actor, { disputeId, ...decision }, approval) => {
    await decideDisputeIn(tx, actor, disputeId, decision, approval);
  },
  exchange_rate: async (tx, actor, rate) => {
    await applyExchangeRate(tx, actor, rate);
  },
  approval_limit: saveApprovalLimit,
  payout_rules: saveApprovedPayoutRules,
  payout_return: returnApprovedPayout,
  source_refund: startApprovedRefund,
  bank_transfer: creditApprovedLine,
  two_step_reset: resetTwoStep,
  staff_rights: async (tx, actor, payload, approval) => {
    if (payload.change === 'role') await assignApprovedRole(tx, actor, payload, approval);
    else if (payload.change === 'permission') await grantPermissionIn(tx, actor, payload, approval);
    else await saveApprovedFeatureRole(tx, actor, payload, approval);
  },
};
