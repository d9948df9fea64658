import { OrderTotal } from '@/components/orders/order-total';
import type { SelectedSite } from './selection-store';

type SelectionTotalProps = {
  sites: readonly SelectedSite[];
  /** The wallet's balance in USD cents. */
  balanceCents: number;
};

/** The number of selected sites and their total. */
export function SelectionTotal({ sites, balanceCents }: SelectionTotalProps) {
  return (
    <OrderTotal
      label={sites.length === 1 ? '1 site' : `${sites.length} sites`}
      totalCents={sites.reduce((sum, { usdCents }) => sum + usdCents, 0)}
      balanceCents={balanceCents}
    />
  );
}
