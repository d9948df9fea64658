import { type Notice, type Outcome, together } from '../provider/announce';
import type { PayPalGateway } from './gateway';
import { newPayPalId } from './ids';
import { notifyDispute, notifyRefund } from './notify';
import type { CaptureRecord, DisputeRecord, OrderRecord, RefundRecord } from './records';
import { refundedOf } from './refunded';

type Returning = Pick<RefundRecord, 'kind'> & {
  amount: number | null;
  note?: string | null;
  status?: RefundRecord['status'];
};
type Returned = { refund: RefundRecord; notice: Notice };

/**
 * Gives money of a capture back, or lets PayPal take it.
 * @param amount minor units; null for the rest
 * @returns null when there is not so much left
 */
export function giveBack(
  gateway: PayPalGateway,
  order: OrderRecord,
  { kind, amount, note = null, status = 'COMPLETED' }: Returning,
): Returned | null {
  const { capture } = order;
  if (capture?.status !== 'COMPLETED') return null;
  const rest = leftOf(order, capture);
  const given = amount ?? rest;
  if (given <= 0 || given > rest) return null;
  const isForDispute = kind === 'reversed' && order.dispute !== null && order.dispute.outcome === null;
  const refund: RefundRecord = {
    ...{ id: newPayPalId.transaction(), created: now(), amount: given, kind, status, note },
    ...(isForDispute && { dispute: 'taken' }),
  };
  capture.refunds.push(refund);
  order.updated = now();
  return { refund, notice: notifyRefund(gateway, order, capture, refund) };
}

/** A pending refund is decided; the newest where there are several. */
export function decideRefund(gateway: PayPalGateway, order: OrderRecord, status: RefundRecord['status']): Outcome {
  const { capture } = order;
  const pending = capture?.refunds.findLast((refund) => refund.status === 'PENDING');
  if (!capture || !pending) return null;
  pending.status = status;
  order.updated = now();
  return notifyRefund(gateway, order, capture, pending);
}

/** The buyer complains to PayPal about what is left of the payment. */
export function openDispute(gateway: PayPalGateway, order: OrderRecord): Outcome {
  const { capture } = order;
  if (capture?.status !== 'COMPLETED' || order.dispute) return null;
  const amount = leftOf(order, capture);
  if (amount <= 0) return null;
  order.dispute = { id: newPayPalId.dispute(), created: now(), amount, outcome: null, isUnderReview: false };
  order.updated = now();
  return notifyDispute(gateway, order, order.dispute);
}

/** PayPal looks into an open dispute. */
export function reviewDispute(gateway: PayPalGateway, order: OrderRecord): Outcome {
  const { dispute } = order;
  if (!dispute || dispute.outcome || dispute.isUnderReview) return null;
  dispute.isUnderReview = true;
  order.updated = now();
  return notifyDispute(gateway, order, dispute);
}

/**
 * PayPal decides an open dispute. When it is lost, PayPal takes what it has not taken yet; when it is won, what was taken
 * comes back, and no notification says so.
 * @param amount how much comes back when it is won, in minor units; null for all that was taken
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
  const reversal = giveBack(gateway, order, { kind: 'reversed', amount: null });
  return reversal ? together(resolved, reversal.notice) : resolved;
}

/** What of a capture the shop still has, in minor units. */
export function leftOf(order: OrderRecord, capture: CaptureRecord): number {
  return order.amount - refundedOf(capture);
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
