import { type Outcome, together } from '../provider/announce';
import type { StripeGateway } from './gateway';
import { newStripeId } from './ids';
import { notifyDispute, notifyRefund, notifyRefunded } from './notify';
import type { IntentRecord, SessionRecord } from './records';
import { refundedOf } from './refunded';

/**
 * Gives money of a paid session back, as in Stripe's dashboard.
 * @param amount minor units; null gives back the rest
 */
export function refund(gateway: StripeGateway, session: SessionRecord, amount: number | null): Outcome {
  const intent = paidIntent(gateway, session);
  if (!intent || isAgainstUs(intent)) return null;
  const before = refundedOf(intent);
  const rest = session.amountTotal - before;
  const given = amount ?? rest;
  if (given <= 0 || given > rest) return null;
  intent.refunds.push({ id: newStripeId.refund(), created: now(), amount: given, status: 'succeeded' });
  return notifyRefunded(gateway, intent, before);
}

/** The newest refund comes back: the buyer's bank did not take it. */
export function failRefund(gateway: StripeGateway, session: SessionRecord): Outcome {
  const intent = paidIntent(gateway, session);
  const newest = intent?.refunds.findLast((one) => one.status === 'succeeded');
  if (!intent || !newest) return null;
  newest.status = 'failed';
  return notifyRefund(gateway, intent, newest, 'refund.failed');
}

/** The newest refund is canceled, as one can be before the buyer's bank has it. */
export function cancelRefund(gateway: StripeGateway, session: SessionRecord): Outcome {
  const intent = paidIntent(gateway, session);
  const newest = intent?.refunds.findLast((one) => one.status === 'succeeded');
  if (!intent || !newest) return null;
  newest.status = 'canceled';
  return together(
    notifyRefund(gateway, intent, newest, 'refund.updated'),
    notifyRefund(gateway, intent, newest, 'charge.refund.updated'),
  );
}

/** The buyer objects at the bank, and the bank takes what is left of the payment back until it has decided. */
export function openDispute(gateway: StripeGateway, session: SessionRecord): Outcome {
  const intent = paidIntent(gateway, session);
  if (!intent || intent.dispute) return null;
  const amount = session.amountTotal - refundedOf(intent);
  if (amount <= 0) return null;
  const dispute = { id: newStripeId.dispute(), created: now(), amount, status: 'needs_response' as const };
  intent.dispute = dispute;
  return together(
    notifyDispute(gateway, intent, dispute, 'charge.dispute.created'),
    notifyDispute(gateway, intent, dispute, 'charge.dispute.funds_withdrawn'),
  );
}

/** The bank decides an open dispute; one that is won brings the money back. */
export function closeDispute(gateway: StripeGateway, session: SessionRecord, status: 'won' | 'lost'): Outcome {
  const intent = paidIntent(gateway, session);
  const dispute = intent?.dispute;
  if (!intent || !dispute || dispute.status !== 'needs_response') return null;
  dispute.status = status;
  const closed = notifyDispute(gateway, intent, dispute, 'charge.dispute.closed');
  if (status === 'lost') return closed;
  return together(closed, notifyDispute(gateway, intent, dispute, 'charge.dispute.funds_reinstated'));
}

/** The payment of a session that was paid. */
export function paidIntent(gateway: StripeGateway, session: SessionRecord): IntentRecord | undefined {
  const intent = session.intentId === null ? undefined : gateway.intent(session.intentId);
  return intent?.status === 'succeeded' ? intent : undefined;
}

/** Stripe refuses to refund what the bank has taken already. */
function isAgainstUs(intent: IntentRecord): boolean {
  return intent.dispute !== null && intent.dispute.status !== 'won';
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
