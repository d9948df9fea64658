import { formatMoney, walletCurrency } from '@/lib/money';
import { getMissingCents } from '@/lib/orders/missing-amount';

type PayLabelOptions = {
  /** USD cents; 0 while nothing is chosen. */
  totalCents: number;
  balanceCents: number;
  /** What is paid, e.g. "4 sites". */
  items?: string;
};

/**
 * The label of the button that orders: "Pay $156.40 · 4 sites", or "Add $113.00 and pay" if the wallet has less. Adding
 * opens the wallet, which returns to the order.
 */
export function payLabel({ totalCents, balanceCents, items }: PayLabelOptions): string {
  if (totalCents === 0) return 'Pay';
  const money = (cents: number) => formatMoney(cents, walletCurrency);
  if (totalCents > balanceCents) return `Add ${money(getMissingCents(totalCents, balanceCents))} and pay`;
  return [`Pay ${money(totalCents)}`, items].filter(Boolean).join(' · ');
}
