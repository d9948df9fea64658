import type { RefundRecord, TradeRecord } from './records';

const isCounted = ({ status }: RefundRecord) => status === 'SUCCESS' || status === 'PROCESSING';

/** Sums the completed and pending refunds of a trade, in fen. */
export function sumRefunds(trade: TradeRecord): number {
  return trade.refunds.reduce((sum, refund) => (isCounted(refund) ? sum + refund.amount : sum), 0);
}
