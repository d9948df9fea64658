import type { Outcome } from '@/sandbox/provider/send-event';
import type { StripeGateway } from './gateway';
import { newStripeId } from './ids';
import { notify } from './notify';
import type { IntentRecord, SessionRecord } from './records';

/*
 * State transitions of a session. Each is synchronous, so that only one of two concurrent requests succeeds: the second
 * finds the session changed and gets null.
 */

/** Pays immediately. @param evenIfExpired allows a late success, which providers do send */
export function pay(gateway: StripeGateway, session: SessionRecord, evenIfExpired = false): Outcome {
  expireIfDue(gateway, session);
  const payable = session.status === 'open' || (evenIfExpired && session.status === 'expired');
  if (!payable) return null;
  session.status = 'complete';
  session.paymentStatus = 'paid';
  settleIntent(gateway, session, 'succeeded');
  return notify(gateway, session, 'checkout.session.completed');
}

/** Completes without payment, like a bank transfer that is decided later. */
export function payLater(gateway: StripeGateway, session: SessionRecord): Outcome {
  expireIfDue(gateway, session);
  if (session.status !== 'open') return null;
  session.status = 'complete';
  settleIntent(gateway, session, 'processing');
  return notify(gateway, session, 'checkout.session.completed');
}

/** Completes a payment of `payLater`. */
export function completeLater(gateway: StripeGateway, session: SessionRecord): Outcome {
  if (!isUndecided(gateway, session)) return null;
  session.paymentStatus = 'paid';
  settleIntent(gateway, session, 'succeeded');
  return notify(gateway, session, 'checkout.session.async_payment_succeeded');
}

/** Fails a payment of `payLater`. */
export function failLater(gateway: StripeGateway, session: SessionRecord): Outcome {
  if (!isUndecided(gateway, session)) return null;
  settleIntent(gateway, session, 'requires_payment_method');
  return notify(gateway, session, 'checkout.session.async_payment_failed');
}

/**
 * Declines the card. As at Stripe, the session stays open for another attempt and no checkout event is sent.
 * @returns whether the session was open
 */
export function decline(gateway: StripeGateway, session: SessionRecord): boolean {
  expireIfDue(gateway, session);
  if (session.status !== 'open') return false;
  settleIntent(gateway, session, 'requires_payment_method');
  return true;
}

/** Expires an open session. */
export function expire(gateway: StripeGateway, session: SessionRecord): Outcome {
  if (session.status !== 'open') return null;
  session.status = 'expired';
  return notify(gateway, session, 'checkout.session.expired');
}

/** Expires an overdue session; called by a timer and before each read. */
export function expireIfDue(gateway: StripeGateway, session: SessionRecord): Outcome {
  return session.status === 'open' && session.expiresAt <= Date.now() / 1_000 ? expire(gateway, session) : null;
}

/** Checks whether a payment of `payLater` is pending. */
export function isUndecided(gateway: StripeGateway, session: SessionRecord): boolean {
  return session.intentId !== null && gateway.intent(session.intentId).status === 'processing';
}

function settleIntent(gateway: StripeGateway, session: SessionRecord, status: IntentRecord['status']): void {
  const known = session.intentId === null ? undefined : gateway.intent(session.intentId);
  const intent = known ?? newIntent(session);
  if (!known) gateway.state.intents.push(intent);
  session.intentId = intent.id;
  intent.status = status;
  intent.declined = status === 'requires_payment_method';
  if (status === 'succeeded') intent.chargeId = newStripeId.charge();
}

function newIntent(session: SessionRecord): IntentRecord {
  return {
    id: newStripeId.intent(),
    sessionId: session.id,
    created: Math.floor(Date.now() / 1_000),
    status: 'requires_payment_method',
    chargeId: null,
    declined: false,
    refunds: [],
    dispute: null,
  };
}
