import type Stripe from 'stripe';
import type { StripeGateway } from './gateway';
import { newStripeId } from './ids';
import type { SessionRecord } from './records';
import { toSessionObject } from './session-object';

/** How long the webhook stays behind the browser when `after-return` is set without a delay. */
const afterReturnMs = 1_500;

export type SessionEventType = Extract<
  Stripe.Event.Type,
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'checkout.session.async_payment_succeeded'
  | 'checkout.session.async_payment_failed'
>;

/** `beforeReturn` is what the browser has to wait for: nothing, unless the controls say so. */
export type Notice = { eventId: string; beforeReturn: Promise<void> };

/** Makes the event about a session as it is now and hands it to the post office as the controls say. */
export function notify(gateway: StripeGateway, session: SessionRecord, type: SessionEventType): Notice {
  const { controls } = gateway;
  const id = newStripeId.event();
  const createdMs = Date.now();
  const altered = gateway.alteration();
  const event = {
    id,
    object: 'event',
    api_version: session.apiVersion,
    created: Math.floor(createdMs / 1_000),
    data: { object: toSessionObject(session, gateway.origin, altered) },
    livemode: altered.livemode ?? false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  } satisfies Stripe.EventBase;
  const lose = controls.drop > 0;
  if (lose) controls.drop -= 1;
  const { firstAnswers } = gateway.postOffice.announce(
    { id, provider: 'stripe', type, subjectId: session.id, body: JSON.stringify(event), createdAt: createdMs },
    {
      hold: controls.mode === 'hold',
      lose,
      delayMs: controls.mode === 'after-return' && controls.delayMs === 0 ? afterReturnMs : controls.delayMs,
      duplicates: controls.duplicate,
      signature: controls.signature,
    },
  );
  return { eventId: id, beforeReturn: controls.mode === 'before-return' ? firstAnswers : Promise.resolve() };
}
