import Stripe from 'stripe';
import type { Destination } from '@/sandbox/deliveries/webhook-queue';

const oldSeconds = 10 * 60;

/** Describes the app's Stripe webhook, signed by the SDK with the time of the attempt. */
export function stripeDestination(appUrl: string, secret: string): Destination {
  return {
    url: `${appUrl}/api/payments/stripe/webhook`,
    headers(event, signature) {
      const now = Math.floor(Date.now() / 1_000);
      return {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (sandbox gateway)',
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({
          payload: event.body,
          secret: signature === 'forged' ? `${secret}_forged` : secret,
          timestamp: signature === 'old' ? now - oldSeconds : now,
        }),
      };
    },
  };
}
