import type { ReactNode } from 'react';
import type { TaxedTotal } from '@/components/orders/add-tax';
import { payLabel } from '@/components/orders/order-total';
import { Button } from '@/components/ui/button';
import { countOf } from '@/components/ui/format';
import { Money } from '@/components/ui/money';

type OrderBarProps = {
  count: number;
  total: TaxedTotal;
  /** USD cents. */
  balanceCents: number;
  pending: boolean;
  onOrder: () => void;
  /** A button left of the one that pays. */
  cancel?: ReactNode;
};

/** Renders the total of a checkout, the wallet before and after it, and the button that pays. */
export function OrderBar({ count, total, balanceCents, pending, onOrder, cancel }: OrderBarProps) {
  const { netCents, taxCents, totalCents, taxName } = total;
  const items = countOf(count, 'site');
  const afterCents = balanceCents - totalCents;
  return (
    <section
      aria-label="Order"
      data-bottom-bar=""
      className="sticky bottom-3 z-20 mt-4 flex flex-wrap items-center gap-x-6 gap-y-2 rounded-lg border border-line-strong bg-overlay px-4 py-3 shadow-overlay"
    >
      <dl aria-live="polite" className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {taxName === null ? null : (
          <>
            <Figure label="Net" cents={netCents} />
            <Figure label={taxName} cents={taxCents} />
          </>
        )}
        <Figure label={`Total, ${items}`} cents={totalCents} className="font-medium text-ink" />
        <Figure label="Wallet now" cents={balanceCents} />
        <Figure label="Wallet after" cents={afterCents} className={afterCents < 0 ? 'text-red-ink' : 'text-muted'} />
      </dl>
      {afterCents < 0 ? (
        <p className="text-muted text-xs">
          You’ll add <Money amountMinor={-afterCents} />, then return here.
        </p>
      ) : null}
      <div className="ml-auto flex flex-wrap gap-2">
        {cancel}
        <Button variant="primary" pending={pending} onClick={onOrder}>
          {payLabel({ totalCents, balanceCents, items })}
        </Button>
      </div>
    </section>
  );
}

function Figure({ label, cents, className = 'text-muted' }: { label: string; cents: number; className?: string }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-muted">{label}</dt>
      <dd className={className}>
        <Money amountMinor={cents} />
      </dd>
    </div>
  );
}
