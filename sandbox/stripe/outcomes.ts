import type { Outcome } from '../provider/announce';
import type { StripeGateway } from './gateway';
import { newStripeId } from './ids';
import { notify } from './notify';
import type { IntentRecord, SessionRecord } from './records';

/*
 * The ways a session can go. Each runs to its end without waiting, so two posts at once cannot both win:
 * the second finds the session changed and gets `null`.
 */

/** Paid at once. @param evenIfExpired a late success, which providers do send */
export function pay(gateway: StripeGateway, session: SessionRecord, evenIfExpired = false): Outcome {
  expireIfDue(gateway, session);
  const payable = session.status === 'open' || (evenIfExpired && session.status === 'expired');
  if (!payable) return null;
  session.status = 'complete';
  session.paymentStatus = 'paid';
  settleIntent(gateway, session, 'succeeded');
  return notify(gateway, session, 'checkout.session.completed');
}

/** Complete but unpaid: a bank transfer or the like, decided later. */
export function payLater(gateway: StripeGateway, session: SessionRecord): Outcome {
  expireIfDue(gateway, session);
  if (session.status !== 'open') return null;
  session.status = 'complete';
  settleIntent(gateway, session, 'processing');
  return notify(gateway, session, 'checkout.session.completed');
}

/** The money of `payLater` arrives. */
export function completeLater(gateway: StripeGateway, session: SessionRecord): Outcome {
  if (!isUndecided(gateway, session)) return null;
  session.paymentStatus = 'paid';
  settleIntent(gateway, session, 'succeeded');
  return notify(gateway, session, 'checkout.session.async_payment_succeeded');
}

/** The money of `payLater` does not arrive. */
export function failLater(gateway: StripeGateway, session: SessionRecord): Outcome {
  if (!isUndecided(gateway, session)) return null;
  settleIntent(gateway, session, 'requires_payment_method');
  return notify(gateway, session, 'checkout.session.async_payment_failed');
}

/**
 * The card is refused. As at Stripe the session stays open for another try and no checkout event is sent.
 * @returns whether the session was open
 */
export function decline(gateway: StripeGateway, session: SessionRecord): boolean {
  expireIfDue(gateway, session);
  if (session.status !== 'open') return false;
  settleIntent(gateway, session, 'requires_payment_method');
  return true;
}

/** Ends an open session. */
export function expire(gateway: StripeGateway, session: SessionRecord): Outcome {
  if (session.status !== 'open') return null;
  session.status = 'expired';
  return notify(gateway, session, 'checkout.session.expired');
}

/** Ends a session whose time is over; called by a timer and before anybody looks at it. */
export function expireIfDue(gateway: StripeGateway, session: SessionRecord): Outcome {
  return session.status === 'open' && session.expiresAt <= Date.now() / 1_000 ? expire(gateway, session) : null;
}

/** Whether the session waits for the money of `payLater`. */
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
