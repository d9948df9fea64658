import { z } from 'zod';
import { type PaymentEvidence, ProviderError, type ProviderEvent } from './provider';

/** As much of a Checkout Session as decides about money; events may be written in another version of the API. */
const sessionSchema = z.object({
  id: z.string().min(1),
  livemode: z.boolean(),
  amount_total: z.number().int(),
  currency: z.string().min(1),
  status: z.enum(['open', 'complete', 'expired']),
  payment_status: z.string(),
  payment_intent: z.union([z.string(), z.object({ id: z.string(), status: z.string() })]).nullable(),
  client_reference_id: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});

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

/** Reads a verified event. @throws ProviderError when it is no event */
export function stripeEvent(json: unknown): ProviderEvent {
  const event = understood(eventSchema, json);
  return {
    eventId: event.id,
    type: event.type,
    mode: event.livemode ? 'live' : 'test',
    payload: json,
    readEvidence() {
      if (!sessionEvents.has(event.type)) return null;
      const evidence = evidenceOf(event.data.object);
      // The session of a failed payment looks like one that still waits; the event's type tells them apart.
      const hasFailed = event.type === 'checkout.session.async_payment_failed' && evidence.outcome === 'pending';
      return hasFailed ? { ...evidence, outcome: 'failed' } : evidence;
    },
  };
}

/** What a session, from an event or an answer, says about its payment. @throws ProviderError for anything else */
export function evidenceOf(json: unknown): PaymentEvidence {
  const session = understood(sessionSchema, json);
  const base = {
    providerReference: session.id,
    topupId: session.metadata?.topup_id ?? session.client_reference_id ?? null,
    mode: session.livemode ? ('live' as const) : ('test' as const),
    amountMinor: session.amount_total,
    currency: session.currency.toUpperCase(),
  };
  const intent = session.payment_intent;
  if (session.payment_status === 'paid') {
    const paymentReference = typeof intent === 'string' ? intent : intent?.id;
    if (!paymentReference) throw new ProviderError(`Stripe's session ${session.id} is paid but names no payment`);
    return { ...base, outcome: 'paid', paymentReference };
  }
  if (session.status === 'expired') return { ...base, outcome: 'expired' };
  const intentStatus = typeof intent === 'string' ? undefined : intent?.status;
  const hasFailed = intentStatus === 'requires_payment_method' || intentStatus === 'canceled';
  return { ...base, outcome: session.status === 'complete' && hasFailed ? 'failed' : 'pending' };
}

function understood<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const parsed = schema.safeParse(json);
  if (!parsed.success)
    throw new ProviderError(`Stripe sent what cannot be understood: ${parsed.error.issues[0]?.path.join('.')}`);
  return parsed.data;
}
