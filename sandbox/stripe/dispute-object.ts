import type Stripe from 'stripe';
import type { DisputeRecord, IntentRecord, SessionRecord } from './records';
import type { Alteration } from './session-object';

const responseDays = 7;
const feeMinor = 1_500;

/** Returns a dispute in Stripe's format. Amounts are integer minor units. @throws Error for an unpaid intent */
export function toDisputeObject(
  dispute: DisputeRecord,
  intent: IntentRecord,
  session: SessionRecord,
  altered: Alteration = {},
): Stripe.Dispute {
  if (intent.chargeId === null) throw new Error(`The payment intent ${intent.id} has no charge`);
  const amount = altered.amountTotal ?? dispute.amount;
  const currency = altered.currency ?? session.currency;
  const movement = (sign: 1 | -1) => balanceTransaction(dispute, sign * amount, currency);
  return {
    id: dispute.id,
    object: 'dispute',
    amount,
    balance_transactions: dispute.status === 'won' ? [movement(-1), movement(1)] : [movement(-1)],
    charge: intent.chargeId,
    created: dispute.created,
    currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: dispute.created + responseDays * 24 * 60 * 60,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: altered.livemode ?? false,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: intent.id,
    reason: 'fraudulent',
    status: dispute.status,
  } satisfies Stripe.Dispute;
}

/** Returns the transaction of a dispute: a withdrawal includes a fee, which a won dispute does not return. */
function balanceTransaction(dispute: DisputeRecord, amount: number, currency: string): Stripe.BalanceTransaction {
  const isWithdrawal = amount < 0;
  const fee = isWithdrawal ? feeMinor : 0;
  return {
    id: `txn_${isWithdrawal ? '1' : '3'}${dispute.id.slice(4)}`,
    object: 'balance_transaction',
    amount,
    available_on: dispute.created,
    balance_type: 'payments',
    created: dispute.created,
    currency,
    description: isWithdrawal ? 'Chargeback withdrawal' : 'Chargeback reversal',
    exchange_rate: null,
    fee,
    fee_details: isWithdrawal
      ? [{ amount: fee, application: null, currency, description: 'Dispute fee', type: 'stripe_fee' }]
      : [],
    net: amount - fee,
    reporting_category: isWithdrawal ? 'dispute' : 'dispute_reversal',
    source: dispute.id,
    status: 'available',
    type: 'adjustment',
  };
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
