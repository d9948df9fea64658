import type { EventSubject } from '../provider';

/**
 * The events that the webhook at PayPal has to be registered for, and what each of them is about. The admin screen shows
 * this list, and a test compares docs/operations.md with it. A pending refund is completed by
 * `PAYMENT.CAPTURE.REFUNDED`. Source: https://developer.paypal.com/api/rest/webhooks/event-names/
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
} as const satisfies Record<string, EventSubject['object']>;

/** The same, to register and to show. */
export const payPalEventTypes: readonly string[] = Object.keys(payPalEventObjects);
