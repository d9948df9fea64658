import type Stripe from 'stripe';
import { type SentEvents, sendEvent } from '@/sandbox/provider/send-event';
import { toChargeObject } from './charge-object';
import { toDisputeObject } from './dispute-object';
import type { StripeGateway } from './gateway';
import { newStripeId } from './ids';
import type { DisputeRecord, IntentRecord, RefundRecord, SessionRecord } from './records';
import { toRefundObject } from './refund-object';
import { toSessionObject } from './session-object';

type TypeOf<Prefix extends string> = Extract<Stripe.Event.Type, `${Prefix}.${string}`>;

/** Sends an event with the current session. */
export function notify(gateway: StripeGateway, session: SessionRecord, type: TypeOf<'checkout.session'>): SentEvents {
  return send(gateway, session, type, toSessionObject(session, gateway.origin, gateway.alteration()));
}

/** Sends `charge.refunded`: the charge with the refunded amount, and the amount before. */
export function notifyRefunded(gateway: StripeGateway, intent: IntentRecord, refundedBefore: number): SentEvents {
  const session = gateway.session(intent.sessionId);
  const charge = toChargeObject(intent, session, gateway.alteration());
  return send(gateway, session, 'charge.refunded', charge, { amount_refunded: refundedBefore });
}

/** Sends an event about a single refund. */
export function notifyRefund(
  gateway: StripeGateway,
  intent: IntentRecord,
  refund: RefundRecord,
  type: TypeOf<'refund'> | 'charge.refund.updated',
): SentEvents {
  const session = gateway.session(intent.sessionId);
  return send(gateway, session, type, toRefundObject(refund, intent, session, gateway.alteration()));
}

/** Sends an event about a dispute. */
export function notifyDispute(
  gateway: StripeGateway,
  intent: IntentRecord,
  dispute: DisputeRecord,
  type: TypeOf<'charge.dispute'>,
): SentEvents {
  const session = gateway.session(intent.sessionId);
  return send(gateway, session, type, toDisputeObject(dispute, intent, session, gateway.alteration()));
}

function send(
  gateway: StripeGateway,
  session: SessionRecord,
  type: Stripe.Event.Type,
  object: Stripe.Checkout.Session | Stripe.Charge | Stripe.Refund | Stripe.Dispute,
  previous?: Partial<Stripe.Charge>,
): SentEvents {
  const createdAt = Date.now();
  const event = {
    id: newStripeId.event(),
    object: 'event',
    api_version: session.apiVersion,
    created: Math.floor(createdAt / 1_000),
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode: gateway.alteration().livemode ?? false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  } satisfies Stripe.EventBase;
  return sendEvent(gateway, { id: event.id, type, subjectId: session.id, body: JSON.stringify(event), createdAt });
}
