import { formatMoney, walletCurrency } from '@/lib/money';
import type { AdminOrderView } from '@/lib/orders/views';

/** Says before saving what a chosen status does to the buyer's money; undefined when there is nothing to say. */
export function moneyNotice(order: AdminOrderView, status: AdminOrderView['status']): string | undefined {
  if (order.status === status || order.chargedCents === 0) return undefined;
  const money = formatMoney(order.chargedCents, walletCurrency);
  if (status === 'Refunded') return `Saving returns ${money} to the buyer’s wallet.`;
  if (order.status === 'Refunded') return `Saving takes ${money} from the buyer’s wallet again.`;
  if (status === 'Rejected') return `Rejected moves no money; “Reject and refund” returns ${money}.`;
  return undefined;
}
