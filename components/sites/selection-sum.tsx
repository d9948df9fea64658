import { OrderSum } from '../orders/order-sum';
import type { SelectedSite } from './selection-store';

type SelectionSumProps = {
  sites: readonly SelectedSite[];
  /** The wallet's balance in USD cents. */
  balanceCents: number;
};

/** The number of selected sites and their total. */
export function SelectionSum({ sites, balanceCents }: SelectionSumProps) {
  return (
    <OrderSum
      label={sites.length === 1 ? '1 site' : `${sites.length} sites`}
      totalCents={sites.reduce((sum, { usdCents }) => sum + usdCents, 0)}
      balanceCents={balanceCents}
    />
  );
}
