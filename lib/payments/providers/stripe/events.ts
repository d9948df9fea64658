import type Stripe from 'stripe';
import { z } from 'zod';
import type { ProviderMode } from '@/db/schema/topups';
import { parseProviderPayload } from '../parse-provider-payload';
import type { EventLog, EventSubject, ProviderEvent } from '../provider';
import { stripeEventObjects, stripeEventTypes } from './event-types';

const eventSchema = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  data: z.object({ object: z.unknown() }),
});

/** As much of an event's object as says what it is about. `mode` belongs to sessions, `charge` to refunds and disputes. */
const objectSchema = z.object({
  id: z.string().min(1),
  mode: z.string().nullish(),
  charge: z.unknown().optional(),
});

const objectOf = new Map<string, EventSubject['object']>(Object.entries(stripeEventObjects));

/**
 * Reads a verified event.
 * @param mode the one whose secret verified it
 * @throws ProviderError when it is no event
 */
export function stripeEvent(json: unknown, mode: ProviderMode): ProviderEvent {
  const { id: eventId, type, data } = parseProviderPayload('Stripe', eventSchema, json);
  return { eventId, type, mode, payload: json, subjects: () => subjectsOf(type, data.object) };
}

function subjectsOf(type: string, json: unknown): EventSubject[] {
  const object = objectOf.get(type);
  if (object === undefined) return [];
  const { id, mode, charge } = parseProviderPayload('Stripe', objectSchema, json);
  // A session of another application in the same account that saves a card or starts a subscription.
  if (object === 'checkout' && (mode ?? 'payment') !== 'payment') return [];
  // A refund without a charge, as of a payment record, is of no payment made here.
  if ((object === 'refund' || object === 'dispute') && charge === null) return [];
  return [{ object, id }];
}

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
