import { z } from 'zod';
import type { Evidence, PaymentEvidence, ProviderEvent, ReversalEvidence } from './provider';
import { evidenceOf, isPaymentSession } from './stripe-evidence';
import { understood } from './understood';

const eventSchema = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
});

const sessionEvents = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
]);

/**
 * Reads a verified event.
 * @param readReversals what an event about a charge, refund or dispute says; see stripe-reversals.ts
 * @throws ProviderError when it is no event
 */
export function stripeEvent(
  json: unknown,
  readReversals: (type: string, object: unknown) => Promise<ReversalEvidence[]>,
): ProviderEvent {
  const event = understood('Stripe', eventSchema, json);
  const { type } = event;
  const { object } = event.data;
  return {
    eventId: event.id,
    type,
    mode: event.livemode ? 'live' : 'test',
    payload: json,
    read: async (): Promise<Evidence[]> =>
      sessionEvents.has(type) ? sessionEvidence(type, object) : readReversals(type, object),
  };
}

/** Nothing for a session that saves a card or starts a subscription, of another shop with the same account. */
function sessionEvidence(type: string, session: unknown): PaymentEvidence[] {
  if (!isPaymentSession(session)) return [];
  const evidence = evidenceOf(session);
  // The session of a failed payment looks like one that still waits; the event's type tells them apart.
  const hasFailed = type === 'checkout.session.async_payment_failed' && evidence.outcome === 'pending';
  return [hasFailed ? { ...evidence, outcome: 'failed' } : evidence];
}
