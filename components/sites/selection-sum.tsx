import { OrderSum } from '../orders/order-sum';
import type { SelectedSite } from './selection-store';

type SelectionSumProps = {
  sites: readonly SelectedSite[];
  /** What the wallet holds, in USD cents. */
  balanceCents: number;
};

/** How many sites are ticked, and what they cost together. */
export function SelectionSum({ sites, balanceCents }: SelectionSumProps) {
  return (
    <OrderSum
      label={sites.length === 1 ? '1 site' : `${sites.length} sites`}
      totalCents={sites.reduce((sum, { usdCents }) => sum + usdCents, 0)}
      balanceCents={balanceCents}
    />
  );
}
