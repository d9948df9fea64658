import { formatMoney, walletCurrency } from '@/lib/money';
import type { AdminOrderView } from '@/lib/orders/views';

type MoneyNoticeProps = { order: AdminOrderView; status: AdminOrderView['status'] };

/** Says before saving that a chosen status moves money. */
export function MoneyNotice({ order, status }: MoneyNoticeProps) {
  if (order.status === status || order.chargedCents === 0) return null;
  const money = formatMoney(order.chargedCents, walletCurrency);
  if (status === 'Refunded') return <>Saving returns {money} to the buyer’s wallet.</>;
  if (order.status === 'Refunded') return <>Saving takes {money} from the buyer’s wallet again.</>;
  if (status === 'Rejected') return <>Rejected moves no money; use “Reject and refund” to return {money}.</>;
  return null;
}
