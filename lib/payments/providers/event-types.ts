import type Stripe from 'stripe';
import type { EventSubject } from './provider';

/**
 * The event types that the webhook at PayPal must be registered for, with the type of object each is about. The admin
 * screen shows this list, and a test compares docs/payments-paypal.md with it. `PAYMENT.CAPTURE.REFUNDED` completes a
 * pending refund. Source: https://developer.paypal.com/api/rest/webhooks/event-names/
 */
export const payPalEventObjects = {
  'CHECKOUT.ORDER.APPROVED': 'checkout',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': 'checkout',
  'PAYMENT.CAPTURE.COMPLETED': 'payment',
  'PAYMENT.CAPTURE.PENDING': 'payment',
  'PAYMENT.CAPTURE.DENIED': 'payment',
  'PAYMENT.CAPTURE.DECLINED': 'payment',
  'PAYMENT.CAPTURE.REFUNDED': 'refund',
  'PAYMENT.REFUND.PENDING': 'refund',
  'PAYMENT.REFUND.FAILED': 'refund',
  'PAYMENT.CAPTURE.REVERSED': 'reversal',
  'CUSTOMER.DISPUTE.CREATED': 'dispute',
  'CUSTOMER.DISPUTE.UPDATED': 'dispute',
  'CUSTOMER.DISPUTE.RESOLVED': 'dispute',
  'PAYMENT.PAYOUTSBATCH.DENIED': 'payout_batch',
  'PAYMENT.PAYOUTSBATCH.PROCESSING': 'payout_batch',
  'PAYMENT.PAYOUTSBATCH.SUCCESS': 'payout_batch',
  'PAYMENT.PAYOUTS-ITEM.BLOCKED': 'payout',
  'PAYMENT.PAYOUTS-ITEM.CANCELED': 'payout',
  'PAYMENT.PAYOUTS-ITEM.DENIED': 'payout',
  'PAYMENT.PAYOUTS-ITEM.FAILED': 'payout',
  'PAYMENT.PAYOUTS-ITEM.HELD': 'payout',
  'PAYMENT.PAYOUTS-ITEM.REFUNDED': 'payout',
  'PAYMENT.PAYOUTS-ITEM.RETURNED': 'payout',
  'PAYMENT.PAYOUTS-ITEM.SUCCEEDED': 'payout',
  'PAYMENT.PAYOUTS-ITEM.UNCLAIMED': 'payout',
} as const satisfies Record<string, EventSubject['object']>;

export const payPalEventTypes: readonly string[] = Object.keys(payPalEventObjects);

/**
 * The event types that the webhook endpoint at Stripe must be registered for, with the type of object each is about.
 * The admin screen shows this list, and a test compares docs/payments-stripe.md with it. Newer API versions send
 * `refund.updated` and `refund.failed`, older ones `charge.refund.updated`.
 */
export const stripeEventObjects = {
  'checkout.session.completed': 'checkout',
  'checkout.session.async_payment_succeeded': 'checkout',
  'checkout.session.async_payment_failed': 'checkout',
  'checkout.session.expired': 'checkout',
  'charge.refunded': 'refunds',
  'charge.refund.updated': 'refund',
  'refund.created': 'refund',
  'refund.updated': 'refund',
  'refund.failed': 'refund',
  'charge.dispute.created': 'dispute',
  'charge.dispute.updated': 'dispute',
  'charge.dispute.closed': 'dispute',
  'charge.dispute.funds_withdrawn': 'dispute',
  'charge.dispute.funds_reinstated': 'dispute',
} as const satisfies Partial<Record<Stripe.Event.Type, EventSubject['object']>>;

export const stripeEventTypes: readonly string[] = Object.keys(stripeEventObjects);
