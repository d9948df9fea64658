import type Stripe from 'stripe';
import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { parseProviderPayload } from '@/lib/payments/providers/parse-provider-payload';
import type { EventLog, EventSubject, ProviderEvent } from '@/lib/payments/providers/provider';
import { stripeEventObjects, stripeEventTypes } from './event-types';

const eventSchema = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  data: z.object({ object: z.unknown() }),
});

/** The fields of an event's object that identify it. Sessions have `mode`; refunds and disputes have `charge`. */
const objectSchema = z.object({
  id: z.string().min(1),
  mode: z.string().nullish(),
  charge: z.unknown().optional(),
});

const objectByType = new Map<string, EventSubject['object']>(Object.entries(stripeEventObjects));

/**
 * Parses a verified event.
 * @param mode the mode whose secret verified it
 * @throws ProviderError when the payload is not an event
 */
export function parseStripeEvent(json: unknown, mode: ProviderMode): ProviderEvent {
  const { id: eventId, type, data } = parseProviderPayload('Stripe', eventSchema, json);
  return { eventId, type, mode, payload: json, subjects: () => parseSubjects(type, data.object) };
}

function parseSubjects(type: string, json: unknown): EventSubject[] {
  const object = objectByType.get(type);
  if (object === undefined) return [];
  const { id, mode, charge } = parseProviderPayload('Stripe', objectSchema, json);
  // A session of another application on the same account that saves a card or starts a subscription.
  if (object === 'checkout' && (mode ?? 'payment') !== 'payment') return [];
  // A refund without a charge, e.g. of a payment record, does not belong to a payment made here.
  if ((object === 'refund' || object === 'dispute') && charge === null) return [];
  return [{ object, id }];
}

const pageSize = 100;

/**
 * Stripe's list of events, newest first. It has the ids of the webhook events and goes back 30 days.
 * @param callStripe converts SDK errors to ProviderError
 * @see https://docs.stripe.com/api/events/list
 */
export function stripeEventLog(
  stripe: Stripe,
  read: (payload: unknown) => ProviderEvent,
  callStripe: <T>(call: () => Promise<T>) => Promise<T>,
): EventLog {
  return {
    retentionDays: 30,
    overlapMs: 60 * 60 * 1000,
    completeUntil: (now) => now,
    async *list(from, until) {
      const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(until.getTime() / 1000) };
      let last: string | undefined;
      do {
        const page = await callStripe(() =>
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
