import { combineEvents, type Outcome, type SentEvents } from '@/sandbox/provider/send-event';
import type { PayPalGateway } from './gateway';
import { newPayPalId } from './ids';
import { notifyDispute, notifyRefund } from './notify';
import type { CaptureRecord, DisputeRecord, OrderRecord, RefundRecord } from './records';
import { sumRefunds } from './refunded';

type Returning = Pick<RefundRecord, 'kind'> & {
  amount: number | null;
  note?: string | null;
  status?: RefundRecord['status'];
  customId?: string | null;
  invoiceId?: string | null;
};
type Returned = { refund: RefundRecord; notice: SentEvents };

/**
 * Refunds a capture, or reverses it as PayPal.
 * @param amount minor units; null for the rest
 * @returns null when the amount exceeds the rest
 */
export function createRefund(
  gateway: PayPalGateway,
  order: OrderRecord,
  { kind, amount, note = null, status = 'COMPLETED', customId = null, invoiceId = null }: Returning,
): Returned | null {
  const { capture } = order;
  if (capture?.status !== 'COMPLETED') return null;
  const rest = getRemaining(order, capture);
  const input = amount ?? rest;
  if (input <= 0 || input > rest) return null;
  const isForDispute = kind === 'reversed' && order.dispute !== null && order.dispute.outcome === null;
  const refund: RefundRecord = {
    ...{ id: newPayPalId.transaction(), created: now(), amount: input, kind, status, note },
    ...{ customId, invoiceId },
    ...(isForDispute && { dispute: 'taken' }),
  };
  capture.refunds.push(refund);
  order.updated = now();
  return { refund, notice: notifyRefund(gateway, order, capture, refund) };
}

/** Decides the newest pending refund. */
export function decideRefund(gateway: PayPalGateway, order: OrderRecord, status: RefundRecord['status']): Outcome {
  const { capture } = order;
  const pending = capture?.refunds.findLast((refund) => refund.status === 'PENDING');
  if (!capture || !pending) return null;
  pending.status = status;
  order.updated = now();
  return notifyRefund(gateway, order, capture, pending);
}

/** Opens a dispute about the remaining amount. */
export function openDispute(gateway: PayPalGateway, order: OrderRecord): Outcome {
  const { capture } = order;
  if (capture?.status !== 'COMPLETED' || order.dispute) return null;
  const amount = getRemaining(order, capture);
  if (amount <= 0) return null;
  order.dispute = { id: newPayPalId.dispute(), created: now(), amount, outcome: null, isUnderReview: false };
  order.updated = now();
  return notifyDispute(gateway, order, order.dispute);
}

/** Starts the review of an open dispute. */
export function reviewDispute(gateway: PayPalGateway, order: OrderRecord): Outcome {
  const { dispute } = order;
  if (!dispute || dispute.outcome || dispute.isUnderReview) return null;
  dispute.isUnderReview = true;
  order.updated = now();
  return notifyDispute(gateway, order, dispute);
}

/**
 * Decides an open dispute. A lost dispute withdraws the remaining amount; a won one returns the withdrawn money,
 * without an event.
 * @param amount the amount returned for a won dispute, in minor units; null for all of it
 */
export function closeDispute(
  gateway: PayPalGateway,
  order: OrderRecord,
  { isWon, outcome, amount = null }: { isWon: boolean; outcome: DisputeRecord['outcome']; amount?: number | null },
): Outcome {
  const { dispute } = order;
  if (!dispute || dispute.outcome) return null;
  dispute.outcome = outcome;
  order.updated = now();
  let left = amount ?? order.amount;
  for (const refund of order.capture?.refunds ?? []) {
    if (!isWon || refund.dispute !== 'taken' || left <= 0) continue;
    refund.dispute = 'given_back';
    refund.givenBack = Math.min(refund.amount, left);
    left -= refund.givenBack;
  }
  const resolved = notifyDispute(gateway, order, dispute);
  if (isWon) return resolved;
  const reversal = createRefund(gateway, order, { kind: 'reversed', amount: null });
  return reversal ? combineEvents(resolved, reversal.notice) : resolved;
}

/** Returns the amount of a capture that the shop still has, in minor units. */
export function getRemaining(order: OrderRecord, capture: CaptureRecord): number {
  return order.amount - sumRefunds(capture);
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
