import { cn } from '@/components/ui/cn';
import { Money } from '@/components/ui/money';

type BalancePreviewProps = {
  /** E.g. "Total, 3 sites". */
  label: string;
  /** USD cents. */
  totalCents: number;
  balanceCents: number;
  className?: string;
};

/** The total of an order, and the wallet's balance before and after it. */
export function BalancePreview({ label, totalCents, balanceCents, className }: BalancePreviewProps) {
  const afterCents = balanceCents - totalCents;
  return (
    <dl className={cn('grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 px-4 py-3 text-sm', className)}>
      <dt className="font-medium text-ink">{label}</dt>
      <dd className="text-right font-medium text-ink">
        <Money amountMinor={totalCents} />
      </dd>
      <dt className="text-muted">Wallet now</dt>
      <dd className="text-right text-muted">
        <Money amountMinor={balanceCents} />
      </dd>
      <dt className="text-muted">Wallet after</dt>
      <dd className={`text-right ${afterCents < 0 ? 'text-red-ink' : 'text-muted'}`}>
        <Money amountMinor={afterCents} />
      </dd>
      {afterCents < 0 ? (
        <dd className="col-span-2 text-muted text-xs">
          You’ll add <Money amountMinor={-afterCents} />, then return here.
        </dd>
      ) : null}
    </dl>
  );
}
