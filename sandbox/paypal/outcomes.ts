import type { Outcome } from '@/sandbox/provider/send-event';
import { captureRefused, unprocessable } from './errors';
import type { PayPalGateway } from './gateway';
import { newPayPalId } from './ids';
import { notifyApprovalReversed, notifyApproved, notifyCapture } from './notify';
import { approvalLink } from './order-object';
import type { CaptureOutcome, CaptureRecord, OrderRecord } from './records';

/** Lifetime of an unapproved order. */
const openSeconds = 6 * 60 * 60;

/*
 * State transitions of an order. Each is synchronous, so that only one of two concurrent calls succeeds: the second
 * finds the order changed and gets null or an error.
 */

/**
 * Approves an order as the buyer.
 * @param planned the outcome of the capture
 * @param evenIfVoided allows a late approval
 */
export function approve(
  gateway: PayPalGateway,
  order: OrderRecord,
  planned: CaptureOutcome,
  evenIfVoided = false,
): Outcome {
  voidIfDue(order);
  if (!isOpen(order) && !(evenIfVoided && order.status === 'VOIDED')) return null;
  move(order, 'APPROVED');
  order.fate = planned.status;
  order.refusal = planned.status === 'refused' ? planned : null;
  order.attempts = 0;
  order.declined = false;
  return notifyApproved(gateway, order);
}

/** Captures an approved order. @throws PayPalError 422 when it cannot be captured */
export function capture(gateway: PayPalGateway, order: OrderRecord): CaptureRecord {
  voidIfDue(order);
  if (order.status === 'COMPLETED') {
    throw unprocessable('ORDER_ALREADY_CAPTURED', 'The order was already captured; it can have only one capture.');
  }
  if (order.status === 'VOIDED') throw unprocessable('ORDER_EXPIRED', 'The order is closed and cannot be captured.');
  if (order.status !== 'APPROVED') {
    throw unprocessable('ORDER_NOT_APPROVED', 'The payer has not approved the order yet.', [
      approvalLink(order, gateway.origin),
    ]);
  }
  const { refusal } = order;
  if (refusal && order.attempts < (refusal.times ?? Number.POSITIVE_INFINITY)) {
    const { issue, keepsApproval } = refusal;
    order.declined = true;
    order.attempts += 1;
    const isForPayer = payerIssues.has(issue);
    if (isForPayer && !keepsApproval) move(order, order.hasPaymentSource ? 'PAYER_ACTION_REQUIRED' : 'CREATED');
    throw captureRefused(issue, isForPayer ? [approvalLink(order, gateway.origin)] : []);
  }
  const made: CaptureRecord = {
    id: newPayPalId.transaction(),
    created: now(),
    status: captureStatus[order.fate],
    refunds: [],
  };
  move(order, 'COMPLETED');
  order.capture = made;
  notifyCapture(gateway, order, made, made.status);
  return made;
}

/** Decides a pending capture. */
export function decideCapture(gateway: PayPalGateway, order: OrderRecord, isGood: boolean): Outcome {
  const { capture: pending } = order;
  if (pending?.status !== 'PENDING') return null;
  pending.status = isGood ? 'COMPLETED' : 'DECLINED';
  order.updated = now();
  return notifyCapture(gateway, order, pending, isGood ? 'COMPLETED' : 'DENIED');
}

/** Voids an order before it is approved; PayPal sends no event. @returns whether it was open */
export function voidOrder(order: OrderRecord): boolean {
  if (!isOpen(order)) return false;
  move(order, 'VOIDED');
  return true;
}

/** Voids an expired order. */
export function voidIfDue(order: OrderRecord): boolean {
  return isOpen(order) && order.created + openSeconds <= now() && voidOrder(order);
}

/** Reverses an approval that was not captured in time. */
export function reverseApproval(gateway: PayPalGateway, order: OrderRecord): Outcome {
  if (order.status !== 'APPROVED') return null;
  const notice = notifyApprovalReversed(gateway, order);
  move(order, 'VOIDED');
  return notice;
}

/** Checks whether the buyer can still approve the order. */
export function isOpen({ status }: OrderRecord): boolean {
  return status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED';
}

/** Issues for which PayPal returns the link to the approval page. */
const payerIssues = new Set(['INSTRUMENT_DECLINED', 'PAYER_ACTION_REQUIRED', 'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING']);

const captureStatus = {
  completed: 'COMPLETED',
  pending: 'PENDING',
  declined: 'DECLINED',
  refused: 'COMPLETED',
} as const;

function move(order: OrderRecord, status: OrderRecord['status']): void {
  order.status = status;
  order.updated = now();
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
