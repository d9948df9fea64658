import type { WechatGateway } from './gateway';
import type { RefundRecord, TradeRecord } from './records';
import { toTime } from './to-time';

/** Changes by tests, which verify that a wrong payment is rejected. */
export type Alteration = { amount?: number; currency?: string; mchid?: string };

/** WeChat's state descriptions in English. */
const descriptions: Record<TradeRecord['state'], string> = {
  NOTPAY: 'Order not paid',
  USERPAYING: 'The buyer is paying',
  SUCCESS: 'Payment successful',
  CLOSED: 'Order closed',
  PAYERROR: 'Payment failed',
  REFUND: 'Payment refunded',
};

/** Returns a trade in WeChat's responses and in TRANSACTION.SUCCESS. Amounts are in fen. */
export function toTradeObject(gateway: WechatGateway, trade: TradeRecord, altered: Alteration = {}) {
  const amount = altered.amount ?? trade.amount;
  const currency = altered.currency ?? trade.currency;
  const isPaid = trade.transactionId !== null;
  return {
    appid: gateway.merchant?.appid ?? '',
    mchid: altered.mchid ?? gateway.merchant?.mchid ?? '',
    out_trade_no: trade.outTradeNo,
    ...(isPaid && {
      transaction_id: trade.transactionId,
      trade_type: trade.kind === 'h5' ? 'MWEB' : 'NATIVE',
      bank_type: 'OTHERS',
      success_time: toTime(trade.paidAt ?? trade.created),
      payer: { openid: trade.payerId },
    }),
    trade_state: trade.state,
    trade_state_desc: descriptions[trade.state],
    attach: trade.attach ?? '',
    amount: isPaid
      ? { total: amount, payer_total: amount, currency, payer_currency: currency }
      : { total: amount, currency },
  };
}

/** Returns a refund in WeChat's responses. */
export function toRefundObject(trade: TradeRecord, refund: RefundRecord, altered: Alteration = {}) {
  const isDone = refund.status === 'SUCCESS';
  return {
    refund_id: refund.id,
    out_refund_no: refund.outRefundNo,
    transaction_id: trade.transactionId ?? '',
    out_trade_no: trade.outTradeNo,
    channel: 'ORIGINAL',
    user_received_account: 'Balance of the test account',
    ...(isDone && { success_time: toTime(refund.created) }),
    create_time: toTime(refund.created),
    status: refund.status,
    funds_account: 'AVAILABLE',
    amount: {
      ...refundAmount(trade, refund, altered),
      from: [],
      settlement_refund: altered.amount ?? refund.amount,
      settlement_total: trade.amount,
      discount_refund: 0,
      currency: altered.currency ?? trade.currency,
      refund_fee: 0,
    },
  };
}

/** Returns a refund in REFUND.SUCCESS, whose format differs from the response. */
export function toRefundNotice(
  gateway: WechatGateway,
  trade: TradeRecord,
  refund: RefundRecord,
  altered: Alteration = {},
) {
  const isDone = refund.status === 'SUCCESS';
  return {
    mchid: altered.mchid ?? gateway.merchant?.mchid ?? '',
    out_trade_no: trade.outTradeNo,
    transaction_id: trade.transactionId ?? '',
    out_refund_no: refund.outRefundNo,
    refund_id: refund.id,
    refund_status: refund.status,
    ...(isDone && { success_time: toTime(refund.created) }),
    amount: refundAmount(trade, refund, altered),
    user_received_account: 'Balance of the test account',
  };
}

function refundAmount(trade: TradeRecord, refund: RefundRecord, altered: Alteration) {
  const back = altered.amount ?? refund.amount;
  return { total: trade.amount, refund: back, payer_total: trade.amount, payer_refund: back };
}
