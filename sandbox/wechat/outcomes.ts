import { type Outcome, together } from '../provider/announce';
import { digits, randomText } from '../provider/random-text';
import type { WechatGateway } from './gateway';
import { notifyPaid, notifyRefund } from './notify';
import type { RefundRecord, TradeRecord } from './records';
import { refundedOf } from './refunded';

/*
 * The ways a trade can go. Each runs to its end without waiting, so two calls at once cannot both win:
 * the second finds the trade changed and gets null.
 */

/** Paid. @param evenIfClosed a late success: the buyer paid while the order was closed */
export function pay(gateway: WechatGateway, trade: TradeRecord, evenIfClosed = false): Outcome {
  closeIfDue(trade);
  const payable = isOpen(trade) || trade.state === 'USERPAYING' || (evenIfClosed && trade.state === 'CLOSED');
  if (!payable) return null;
  trade.state = 'SUCCESS';
  trade.transactionId = `42000${randomText(23, digits)}`;
  trade.paidAt = now();
  return notifyPaid(gateway, trade);
}

/** The buyer is typing the password: undecided. */
export function payLater(trade: TradeRecord): Outcome {
  closeIfDue(trade);
  if (!isOpen(trade)) return null;
  trade.state = 'USERPAYING';
  return together();
}

/** The bank says no; WeChat sends nothing about that. The buyer may try again while the order is open. */
export function fail(trade: TradeRecord): Outcome {
  if (!isOpen(trade) && trade.state !== 'USERPAYING') return null;
  trade.state = 'PAYERROR';
  return together();
}

/** Closes what nobody paid. */
export function close(trade: TradeRecord): Outcome {
  if (!isOpen(trade) && trade.state !== 'USERPAYING') return null;
  trade.state = 'CLOSED';
  return together();
}

/** Closes an order whose time is over. @returns whether it did */
export function closeIfDue(trade: TradeRecord): boolean {
  return isOpen(trade) && trade.expiresAt <= now() && close(trade) !== null;
}

/**
 * Gives money back. It arrives at once, unless `isSlow`: then it is on its way until `refundArrives`.
 * @param wanted amount in fen, null for the rest; a refund is notified only where its maker named an address
 * @returns null when there is not so much left
 */
export function giveBack(
  gateway: WechatGateway,
  trade: TradeRecord,
  wanted: {
    amount: number | null;
    outRefundNo: string;
    reason: string | null;
    isNotified: boolean;
    isSlow?: boolean;
  },
): { refund: RefundRecord; outcome: Outcome } | null {
  if (trade.transactionId === null) return null;
  const rest = trade.amount - refundedOf(trade);
  const amount = wanted.amount ?? rest;
  if (amount <= 0 || amount > rest) return null;
  const refund: RefundRecord = {
    id: `50300${randomText(24, digits)}`,
    outRefundNo: wanted.outRefundNo,
    created: now(),
    amount,
    status: wanted.isSlow ? 'PROCESSING' : 'SUCCESS',
    reason: wanted.reason,
  };
  trade.refunds.push(refund);
  trade.state = 'REFUND';
  const isNotified = wanted.isNotified && refund.status === 'SUCCESS';
  return { refund, outcome: isNotified ? notifyRefund(gateway, trade, refund) : together() };
}

/** A refund that is on its way arrives. */
export function refundArrives(gateway: WechatGateway, trade: TradeRecord): Outcome {
  const slow = trade.refunds.find((refund) => refund.status === 'PROCESSING');
  if (!slow) return null;
  slow.status = 'SUCCESS';
  return gateway.controls.refundNotices === 'sent' ? notifyRefund(gateway, trade, slow) : together();
}

/** Moves everything that happened to a trade into the past, so that a bill of that day has it. */
export function backdate(trade: TradeRecord, days: number): Outcome {
  const seconds = days * 24 * 60 * 60;
  trade.created -= seconds;
  if (trade.paidAt !== null) trade.paidAt -= seconds;
  for (const refund of trade.refunds) refund.created -= seconds;
  return together();
}

/** The newest refund comes back: the buyer's account did not take it. */
export function failRefund(gateway: WechatGateway, trade: TradeRecord): Outcome {
  const newest = trade.refunds.findLast((refund) => refund.status === 'SUCCESS');
  if (!newest) return null;
  newest.status = 'ABNORMAL';
  return gateway.controls.refundNotices === 'sent' ? notifyRefund(gateway, trade, newest) : together();
}

/** Whether the buyer can still pay. */
export function isOpen({ state }: TradeRecord): boolean {
  return state === 'NOTPAY' || state === 'PAYERROR';
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
