import type { paymentReversals, TopupStatus, topups } from '../../db/schema/topups';
import { formatMoney } from '../money';
import { providerNames } from '../payments/names';

type Reversal = Pick<typeof paymentReversals.$inferSelect, 'kind' | 'money' | 'outcome' | 'amountMinor' | 'currency'>;
type Topup = Pick<typeof topups.$inferSelect, 'chargeAmountMinor' | 'chargeCurrency' | 'provider'>;

/**
 * Where a paid top-up stands, by its refunds and disputes. A dispute counts until it is won and its money is back.
 * @param settled what it is without them: paid, or review for a payment that did not match
 * @returns the status and the reason a person reads
 */
export function reversalStatus(
  topup: Topup,
  settled: 'paid' | 'review',
  reversals: readonly Reversal[],
): { status: TopupStatus; reason: string | null } {
  const name = providerNames[topup.provider];
  const charged = formatMoney(topup.chargeAmountMinor, topup.chargeCurrency);
  const isOver = ({ money, outcome }: Reversal) => money === 'returned' || (money === 'kept' && outcome === 'won');
  const dispute = reversals.find((one) => one.kind === 'dispute' && !isOver(one));
  if (dispute) {
    const money = formatMoney(dispute.amountMinor, dispute.currency);
    const ending = dispute.outcome === 'lost' ? 'and lost' : dispute.outcome === 'won' ? 'and won' : 'and still open';
    return { status: 'disputed', reason: `${money} of ${charged} disputed at ${name} ${ending}.` };
  }
  const refundedMinor = reversals
    .filter(({ kind, money }) => kind === 'refund' && money === 'taken')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (refundedMinor === 0) return { status: settled, reason: null };
  const reason = `${formatMoney(refundedMinor, topup.chargeCurrency)} of ${charged} refunded by ${name}.`;
  return { status: refundedMinor >= topup.chargeAmountMinor ? 'refunded' : settled, reason };
}
