import type Stripe from 'stripe';
import type { EventLog, ProviderEvent } from './provider';
import { stripeEventTypes } from './stripe-event-types';

const pageSize = 100;

/**
 * Stripe's list of events, newest first. It has the ids that webhooks carry and goes back 30 days.
 * @param answered turns Stripe's errors into ours
 * @see https://docs.stripe.com/api/events/list
 */
export function stripeEventLog(
  stripe: Stripe,
  read: (payload: unknown) => ProviderEvent,
  answered: <T>(call: () => Promise<T>) => Promise<T>,
): EventLog {
  return {
    keptDays: 30,
    overlapMs: 60 * 60 * 1000,
    completeUntil: (now) => now,
    async *list(from, until) {
      const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(until.getTime() / 1000) };
      let last: string | undefined;
      do {
        const page = await answered(() =>
          stripe.events.list({
            created,
            types: [...stripeEventTypes],
            limit: pageSize,
            ...(last !== undefined && { starting_after: last }),
          }),
        );
        yield page.data.map((event) => ({ ...read(event), topupId: null }));
        last = page.has_more ? page.data.at(-1)?.id : undefined;
      } while (last !== undefined);
    },
  };
}
