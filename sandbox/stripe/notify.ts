import type Stripe from 'stripe';
import { announce, type Notice } from '../provider/announce';
import { toChargeObject } from './charge-object';
import { toDisputeObject } from './dispute-object';
import type { StripeGateway } from './gateway';
import { newStripeId } from './ids';
import type { DisputeRecord, IntentRecord, RefundRecord, SessionRecord } from './records';
import { toRefundObject } from './refund-object';
import { toSessionObject } from './session-object';

type TypeOf<Prefix extends string> = Extract<Stripe.Event.Type, `${Prefix}.${string}`>;

/** The event about a session as it is now. */
export function notify(gateway: StripeGateway, session: SessionRecord, type: TypeOf<'checkout.session'>): Notice {
  return send(gateway, session, type, toSessionObject(session, gateway.origin, gateway.alteration()));
}

/** `charge.refunded`: the charge with all that was refunded so far, and how much it was before. */
export function notifyRefunded(gateway: StripeGateway, intent: IntentRecord, refundedBefore: number): Notice {
  const session = gateway.session(intent.sessionId);
  const charge = toChargeObject(intent, session, gateway.alteration());
  return send(gateway, session, 'charge.refunded', charge, { amount_refunded: refundedBefore });
}

/** One of the events about a single refund. */
export function notifyRefund(
  gateway: StripeGateway,
  intent: IntentRecord,
  refund: RefundRecord,
  type: TypeOf<'refund'> | 'charge.refund.updated',
): Notice {
  const session = gateway.session(intent.sessionId);
  return send(gateway, session, type, toRefundObject(refund, intent, session, gateway.alteration()));
}

/** One of the events about a dispute. */
export function notifyDispute(
  gateway: StripeGateway,
  intent: IntentRecord,
  dispute: DisputeRecord,
  type: TypeOf<'charge.dispute'>,
): Notice {
  const session = gateway.session(intent.sessionId);
  return send(gateway, session, type, toDisputeObject(dispute, intent, session, gateway.alteration()));
}

function send(
  gateway: StripeGateway,
  session: SessionRecord,
  type: Stripe.Event.Type,
  object: Stripe.Checkout.Session | Stripe.Charge | Stripe.Refund | Stripe.Dispute,
  previous?: Partial<Stripe.Charge>,
): Notice {
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
  return announce(gateway, { id: event.id, type, subjectId: session.id, body: JSON.stringify(event), createdAt });
}
