import type Stripe from 'stripe';
import type { IntentRecord, RefundRecord, SessionRecord } from './records';
import type { Alteration } from './session-object';

/** Returns a refund in Stripe's format. Amounts are integer minor units. */
export function toRefundObject(
  refund: RefundRecord,
  intent: IntentRecord,
  session: SessionRecord,
  altered: Alteration = {},
): Stripe.Refund {
  const failed = refund.status === 'failed';
  return {
    id: refund.id,
    object: 'refund',
    amount: altered.amountTotal ?? refund.amount,
    balance_transaction: `txn_${refund.id.slice(3)}`,
    charge: intent.chargeId,
    created: refund.created,
    currency: altered.currency ?? session.currency,
    customer: null,
    customer_account: null,
    ...(failed && {
      failure_balance_transaction: `txn_f${refund.id.slice(4)}`,
      failure_reason: 'expired_or_canceled_card',
    }),
    metadata: refund.metadata,
    payment_intent: intent.id,
    payment_method: null,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  } satisfies Stripe.Refund;
}
