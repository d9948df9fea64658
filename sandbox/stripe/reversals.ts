import { combineEvents, type Outcome } from '@/sandbox/provider/send-event';
import type { StripeGateway } from './gateway';
import { newStripeId } from './ids';
import { notifyDispute, notifyRefund, notifyRefunded } from './notify';
import type { IntentRecord, SessionRecord } from './records';
import { sumRefunds } from './refunded';

/** Refunds a paid session, as in Stripe's dashboard. @param amount minor units; null for the rest */
export function refund(gateway: StripeGateway, session: SessionRecord, amount: number | null): Outcome {
  const intent = findPaidIntent(gateway, session);
  if (!intent || isDisputed(intent)) return null;
  const before = sumRefunds(intent);
  const rest = session.amountTotal - before;
  const input = amount ?? rest;
  if (input <= 0 || input > rest) return null;
  intent.refunds.push({
    id: newStripeId.refund(),
    created: now(),
    amount: input,
    status: 'succeeded',
    reason: 'requested_by_customer',
    metadata: {},
  });
  return notifyRefunded(gateway, intent, before);
}

/** Fails the newest refund: the buyer's bank rejected it. */
export function failRefund(gateway: StripeGateway, session: SessionRecord): Outcome {
  const intent = findPaidIntent(gateway, session);
  const newest = intent?.refunds.findLast((one) => one.status === 'succeeded' || one.status === 'pending');
  if (!intent || !newest) return null;
  newest.status = 'failed';
  return notifyRefund(gateway, intent, newest, 'refund.failed');
}

/** Completes the newest pending refund. */
export function completeRefund(gateway: StripeGateway, session: SessionRecord): Outcome {
  const intent = findPaidIntent(gateway, session);
  const pending = intent?.refunds.findLast((one) => one.status === 'pending');
  if (!intent || !pending) return null;
  pending.status = 'succeeded';
  return notifyRefund(gateway, intent, pending, 'refund.updated');
}

/** Cancels the newest refund, before the buyer's bank receives it. */
export function cancelRefund(gateway: StripeGateway, session: SessionRecord): Outcome {
  const intent = findPaidIntent(gateway, session);
  const newest = intent?.refunds.findLast((one) => one.status === 'succeeded' || one.status === 'pending');
  if (!intent || !newest) return null;
  newest.status = 'canceled';
  return combineEvents(
    notifyRefund(gateway, intent, newest, 'refund.updated'),
    notifyRefund(gateway, intent, newest, 'charge.refund.updated'),
  );
}

/** Opens a dispute: the bank withdraws the remaining amount until it decides. */
export function openDispute(gateway: StripeGateway, session: SessionRecord): Outcome {
  const intent = findPaidIntent(gateway, session);
  if (!intent || intent.dispute) return null;
  const amount = session.amountTotal - sumRefunds(intent);
  if (amount <= 0) return null;
  const dispute = { id: newStripeId.dispute(), created: now(), amount, status: 'needs_response' as const };
  intent.dispute = dispute;
  return combineEvents(
    notifyDispute(gateway, intent, dispute, 'charge.dispute.created'),
    notifyDispute(gateway, intent, dispute, 'charge.dispute.funds_withdrawn'),
  );
}

/** Decides an open dispute; a won one reinstates the money. */
export function closeDispute(gateway: StripeGateway, session: SessionRecord, status: 'won' | 'lost'): Outcome {
  const intent = findPaidIntent(gateway, session);
  const dispute = intent?.dispute;
  if (!intent || !dispute || dispute.status !== 'needs_response') return null;
  dispute.status = status;
  const closed = notifyDispute(gateway, intent, dispute, 'charge.dispute.closed');
  if (status === 'lost') return closed;
  return combineEvents(closed, notifyDispute(gateway, intent, dispute, 'charge.dispute.funds_reinstated'));
}

/** Returns the payment intent of a paid session. */
export function findPaidIntent(gateway: StripeGateway, session: SessionRecord): IntentRecord | undefined {
  const intent = session.intentId === null ? undefined : gateway.intent(session.intentId);
  return intent?.status === 'succeeded' ? intent : undefined;
}

/** Checks whether an intent is disputed: Stripe rejects a refund of disputed money. */
function isDisputed(intent: IntentRecord): boolean {
  return intent.dispute !== null && intent.dispute.status !== 'won';
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
