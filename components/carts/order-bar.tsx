import type { ReactNode } from 'react';
import type { TaxedTotal } from '@/components/orders/add-tax';
import { describeTopUp, payLabel } from '@/components/orders/order-total';
import { type Funds, type Outlook, OutlookNote } from '@/components/orders/outlook';
import { Button } from '@/components/ui/button';
import { countOf } from '@/components/ui/format';
import { Money } from '@/components/ui/money';

type OrderBarProps = {
  count: number;
  total: TaxedTotal;
  balanceCents: Funds['balanceCents'];
  mayTopUp?: Funds['mayTopUp'];
  outlook?: Outlook | null;
  pending: boolean;
  onOrder: () => void;
  /** A button left of the one that pays. */
  cancel?: ReactNode;
};

/** Renders the total of a checkout, the wallet before and after it, and the button that pays. */
export function OrderBar(props: OrderBarProps) {
  const { count, total, balanceCents, mayTopUp = true, outlook = null, pending, onOrder, cancel } = props;
  const { netCents, taxCents, totalCents, taxName } = total;
  const items = countOf(count, 'site');
  const afterCents = balanceCents === null ? null : balanceCents - totalCents;
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
        {balanceCents === null || afterCents === null ? null : (
          <>
            <Figure label="Wallet now" cents={balanceCents} />
            <Figure
              label="Wallet after"
              cents={afterCents}
              className={afterCents < 0 ? 'text-red-ink' : 'text-muted'}
            />
          </>
        )}
      </dl>
      {afterCents !== null && afterCents < 0 && outlook?.decision !== 'needs_approval' ? (
        <p className="text-muted text-xs">{describeTopUp(-afterCents, mayTopUp)}</p>
      ) : null}
      <OutlookNote outlook={outlook} balanceCents={balanceCents} className="w-full" />
      <div className="ml-auto flex flex-wrap gap-2">
        {cancel}
        {outlook?.decision === 'refused' ? null : (
          <Button variant="primary" pending={pending} onClick={onOrder}>
            {payLabel({ totalCents, balanceCents, mayTopUp, items, outlook })}
          </Button>
        )}
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
