import type { EventSubject } from '@/lib/payments/providers/provider';

/**
 * The event types that the webhook at PayPal must be registered for, with the type of object each is about. The admin
 * screen shows this list, and a test compares docs/operations.md with it. `PAYMENT.CAPTURE.REFUNDED` completes a
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

/** The names of the event types. */
export const payPalEventTypes: readonly string[] = Object.keys(payPalEventObjects);
