import type Stripe from 'stripe';
import type { IntentRecord, SessionRecord } from './records';

/** Returns a payment intent in Stripe's format. Amounts are integer minor units. */
export function toIntentObject(intent: IntentRecord, session: SessionRecord): Stripe.PaymentIntent {
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: session.amountTotal,
    amount_capturable: 0,
    amount_received: intent.status === 'succeeded' ? session.amountTotal : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: null,
    confirmation_method: 'automatic',
    created: intent.created,
    currency: session.currency,
    customer: null,
    customer_account: null,
    description: session.intentDescription,
    excluded_payment_method_types: null,
    last_payment_error: intent.declined
      ? {
          type: 'card_error',
          code: 'card_declined',
          decline_code: 'generic_decline',
          message: 'The card was declined.',
        }
      : null,
    latest_charge: intent.chargeId,
    livemode: false,
    managed_payments: null,
    metadata: session.intentMetadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_group: null,
  };
}
