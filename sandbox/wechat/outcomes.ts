import { digits, randomText } from '@/sandbox/provider/random-text';
import { combineEvents, type Outcome } from '@/sandbox/provider/send-event';
import type { WechatGateway } from './gateway';
import { notifyPaid, notifyRefund } from './notify';
import type { RefundRecord, TradeRecord } from './records';
import { sumRefunds } from './refunded';

/*
 * State transitions of a trade. Each is synchronous, so that only one of two concurrent calls succeeds: the second
 * finds the trade changed and gets null.
 */

/** Pays the order. @param evenIfClosed allows a late success: the buyer paid while the order was closed */
export function pay(gateway: WechatGateway, trade: TradeRecord, evenIfClosed = false): Outcome {
  closeIfDue(trade);
  const payable = isOpen(trade) || trade.state === 'USERPAYING' || (evenIfClosed && trade.state === 'CLOSED');
  if (!payable) return null;
  trade.state = 'SUCCESS';
  trade.transactionId = `42000${randomText(23, digits)}`;
  trade.paidAt = now();
  return notifyPaid(gateway, trade);
}

/** Leaves a payment undecided: the buyer is entering the password. */
export function payLater(trade: TradeRecord): Outcome {
  closeIfDue(trade);
  if (!isOpen(trade)) return null;
  trade.state = 'USERPAYING';
  return combineEvents();
}

/** Declines the payment as the bank; WeChat sends no event. The buyer may try again while the order is open. */
export function fail(trade: TradeRecord): Outcome {
  if (!isOpen(trade) && trade.state !== 'USERPAYING') return null;
  trade.state = 'PAYERROR';
  return combineEvents();
}

/** Closes an unpaid order. */
export function close(trade: TradeRecord): Outcome {
  if (!isOpen(trade) && trade.state !== 'USERPAYING') return null;
  trade.state = 'CLOSED';
  return combineEvents();
}

/** Closes an overdue order. @returns whether it was closed */
export function closeIfDue(trade: TradeRecord): boolean {
  return isOpen(trade) && trade.expiresAt <= now() && close(trade) !== null;
}

/**
 * Creates a refund. With the status PROCESSING it is in progress until `completeRefund`.
 * @param requested amount in fen, null for the rest; an event is sent only with `isNotified`
 * @returns null when the amount exceeds the rest
 */
export function createRefund(
  gateway: WechatGateway,
  trade: TradeRecord,
  requested: {
    amount: number | null;
    outRefundNo: string;
    reason: string | null;
    isNotified: boolean;
    status?: RefundRecord['status'];
  },
): { refund: RefundRecord; outcome: Outcome } | null {
  if (trade.transactionId === null) return null;
  const rest = trade.amount - sumRefunds(trade);
  const amount = requested.amount ?? rest;
  if (amount <= 0 || amount > rest) return null;
  const refund: RefundRecord = {
    id: `50300${randomText(24, digits)}`,
    outRefundNo: requested.outRefundNo,
    created: now(),
    amount,
    status: requested.status ?? 'SUCCESS',
    reason: requested.reason,
    isNotified: requested.isNotified,
  };
  trade.refunds.push(refund);
  trade.state = 'REFUND';
  const isNotified = requested.isNotified && refund.status !== 'PROCESSING';
  return { refund, outcome: isNotified ? notifyRefund(gateway, trade, refund) : combineEvents() };
}

/**
 * Decides a refund in progress, or one that the buyer's account refused and the merchant sent elsewhere.
 * @param status CLOSED for a refund that is not made
 */
export function completeRefund(
  gateway: WechatGateway,
  trade: TradeRecord,
  status: 'SUCCESS' | 'CLOSED' | 'ABNORMAL' = 'SUCCESS',
): Outcome {
  const open = trade.refunds.find((refund) => refund.status === 'PROCESSING' || refund.status === 'ABNORMAL');
  if (!open || open.status === status) return null;
  open.status = status;
  return isNotified(gateway, open) ? notifyRefund(gateway, trade, open) : combineEvents();
}

/**
 * Checks whether a refund is notified. A refund by the API names its notify_url; others need a URL that is configured
 * on the merchant platform.
 */
const isNotified = ({ controls }: WechatGateway, refund: RefundRecord) =>
  refund.isNotified || controls.refundNotices === 'sent';

/** Moves a trade into the past, so that it is in a bill of that day. */
export function backdate(trade: TradeRecord, days: number): Outcome {
  const seconds = days * 24 * 60 * 60;
  trade.created -= seconds;
  if (trade.paidAt !== null) trade.paidAt -= seconds;
  for (const refund of trade.refunds) refund.created -= seconds;
  return combineEvents();
}

/** Fails the newest refund: the buyer's account rejected it. */
export function failRefund(gateway: WechatGateway, trade: TradeRecord): Outcome {
  const newest = trade.refunds.findLast((refund) => refund.status === 'SUCCESS');
  if (!newest) return null;
  newest.status = 'ABNORMAL';
  return gateway.controls.refundNotices === 'sent' ? notifyRefund(gateway, trade, newest) : combineEvents();
}

/** Checks whether the buyer can still pay. */
export function isOpen({ state }: TradeRecord): boolean {
  return state === 'NOTPAY' || state === 'PAYERROR';
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
