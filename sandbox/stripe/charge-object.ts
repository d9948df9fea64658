import type Stripe from 'stripe';
import type { IntentRecord, SessionRecord } from './records';
import { sumRefunds } from './refunded';
import type { Alteration } from './session-object';

/**
 * Returns the charge of a paid intent in Stripe's format. Amounts are integer minor units; an altered amount also
 * replaces the refunded amount when something was refunded.
 * @throws Error for an unpaid intent
 */
export function toChargeObject(intent: IntentRecord, session: SessionRecord, altered: Alteration = {}): Stripe.Charge {
  if (intent.chargeId === null) throw new Error(`The payment intent ${intent.id} has no charge`);
  const amount = altered.amountTotal ?? session.amountTotal;
  const refunded = sumRefunds(intent);
  return {
    id: intent.chargeId,
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: refunded > 0 ? (altered.amountTotal ?? refunded) : 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: `txn_${intent.chargeId.slice(3)}`,
    billing_details: { address: null, email: session.customerEmail, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: 'LINKMARKET',
    captured: true,
    created: intent.created,
    currency: altered.currency ?? session.currency,
    customer: null,
    description: session.intentDescription,
    disputed: intent.dispute !== null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: altered.livemode ?? false,
    metadata: session.intentMetadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: intent.id,
    payment_method: null,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: refunded >= session.amountTotal,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.Charge;
}
