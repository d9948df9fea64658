import type { TradeRecord } from './records';

/** What of a trade was given back and arrived or is on its way, in fen. */
export function refundedOf(trade: TradeRecord): number {
  return trade.refunds.reduce((sum, refund) => (refund.status === 'ABNORMAL' ? sum : sum + refund.amount), 0);
}
