import type Stripe from 'stripe';
import type { SessionRecord } from './records';

/** Changes by tests, which verify that a wrong session is rejected. */
export type Alteration = { amountTotal?: number; currency?: string; livemode?: boolean };

/**
 * Returns a session in Stripe's format, with every field of the pinned SDK's type.
 * @param origin origin of the Stripe port, which serves the hosted page
 */
export function toSessionObject(
  session: SessionRecord,
  origin: string,
  altered: Alteration = {},
): Stripe.Checkout.Session {
  const amount = altered.amountTotal ?? session.amountTotal;
  const email = session.customerEmail;
  return {
    id: session.id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: session.adaptivePricing },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: session.created,
    currency: altered.currency ?? session.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: null,
    customer_account: null,
    customer_creation: 'if_required',
    customer_details: email
      ? {
          address: null,
          business_name: null,
          email,
          individual_name: null,
          name: null,
          phone: null,
          tax_exempt: 'none',
          tax_ids: null,
        }
      : null,
    customer_email: email,
    discounts: [],
    expires_at: session.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: altered.livemode ?? false,
    locale: null,
    managed_payments: null,
    metadata: session.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: session.intentId,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: session.paymentStatus,
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: session.status,
    submit_type: null,
    subscription: null,
    success_url: session.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    // As at Stripe, only an open session has a URL.
    url: session.status === 'open' ? hostedUrl(session.id, origin) : null,
    wallet_options: null,
  };
}

/** Returns the URL of a session's hosted page. */
export function hostedUrl(sessionId: string, origin: string): string {
  return `${origin}/c/pay/${sessionId}`;
}
