import type { TradeRecord } from './records';

/** Sums the completed and pending refunds of a trade, in fen. */
export function sumRefunds(trade: TradeRecord): number {
  return trade.refunds.reduce((sum, refund) => (refund.status === 'ABNORMAL' ? sum : sum + refund.amount), 0);
}
