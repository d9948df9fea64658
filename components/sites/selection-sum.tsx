import { Money } from '@/components/ui/money';
import type { SelectedSite } from './selection-store';

type SelectionSumProps = {
  sites: readonly SelectedSite[];
  /** What the wallet holds, in USD cents. */
  balanceCents: number;
};

/** How many sites are ticked, what they cost together, and how that stands to the wallet. */
export function SelectionSum({ sites, balanceCents }: SelectionSumProps) {
  const totalCents = sites.reduce((sum, { usdCents }) => sum + usdCents, 0);
  const missingCents = totalCents - balanceCents;
  return (
    <p aria-live="polite" className="text-sm">
      <span className="font-medium text-ink">{sites.length === 1 ? '1 site' : `${sites.length} sites`}</span>
      <span className="text-muted">
        {' · '}
        <Money amountMinor={totalCents} className="font-medium text-ink" />
        {' of '}
        <Money amountMinor={balanceCents} /> in your wallet
      </span>
      {missingCents > 0 ? (
        <span className="block text-red-ink text-xs">
          <Money amountMinor={missingCents} /> more needed
        </span>
      ) : null}
    </p>
  );
}
