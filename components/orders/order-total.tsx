import { Money } from '@/components/ui/money';

type OrderTotalProps = {
  /** The ordered items, e.g. "3 sites". */
  label: string;
  /** USD cents. */
  totalCents: number;
  balanceCents: number;
};

/** The items, their total and the wallet's balance in one line. Screen readers announce each change. */
export function OrderTotal({ label, totalCents, balanceCents }: OrderTotalProps) {
  const missingCents = totalCents - balanceCents;
  return (
    <p aria-live="polite" className="text-sm">
      <span className="font-medium text-ink">{label}</span>
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
