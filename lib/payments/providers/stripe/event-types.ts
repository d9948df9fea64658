import type Stripe from 'stripe';
import type { EventSubject } from '@/lib/payments/providers/provider';

/**
 * The event types that the webhook endpoint at Stripe must be registered for, with the type of object each is about.
 * The admin screen shows this list, and a test compares docs/operations.md with it. Newer API versions send
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

/** The names of the event types. */
export const stripeEventTypes: readonly string[] = Object.keys(stripeEventObjects);
