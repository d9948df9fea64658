import { Money } from '@/components/ui/money';
import { formatUsd } from '@/lib/money';
import { getMissingCents } from '@/lib/orders/order/amounts';
import type { TaxedTotal } from './add-tax';
import { askForMoney, type Funds, type Outlook } from './outlook';

type PayLabelOptions = {
  /** USD cents; 0 while nothing is chosen. */
  totalCents: number;
  balanceCents: Funds['balanceCents'];
  mayTopUp?: Funds['mayTopUp'] | undefined;
  /** What is paid, e.g. "4 sites". */
  items?: string | undefined;
  outlook?: Outlook | null | undefined;
};

/**
 * Returns the label of the button that orders: "Pay $156.40 · 4 sites", "Request approval" if the order is above a limit, or
 * "Add $113.00 and pay" if the wallet has less. Adding opens the wallet, which returns to the order.
 */
export function payLabel({ totalCents, balanceCents, mayTopUp = true, items, outlook }: PayLabelOptions): string {
  if (totalCents === 0) return 'Pay';
  if (outlook?.decision === 'needs_approval') return 'Request approval';
  if (balanceCents !== null && mayTopUp && totalCents > balanceCents)
    return `Add ${formatUsd(getMissingCents(totalCents, balanceCents))} and pay`;
  return [`Pay ${formatUsd(totalCents)}`, items].filter(Boolean).join(' · ');
}

type OrderTotalProps = {
  /** The ordered items, e.g. "3 sites". */
  label: string;
  total: TaxedTotal;
  balanceCents: Funds['balanceCents'];
  mayTopUp?: Funds['mayTopUp'];
};

/** Renders the items, their total and the wallet's balance in one line. Screen readers announce each change. */
export function OrderTotal({ label, total, balanceCents }: OrderTotalProps) {
  const { netCents, taxCents, totalCents, taxName } = total;
  const missingCents = balanceCents === null ? 0 : totalCents - balanceCents;
  return (
    <p aria-live="polite" className="text-sm">
      <span className="font-medium text-ink">{label}</span>
      <span className="text-muted">
        {' · '}
        <Money amountMinor={totalCents} className="font-medium text-ink" />
        {balanceCents === null ? null : (
          <>
            {' of '}
            <Money amountMinor={balanceCents} /> in your wallet
          </>
        )}
      </span>
      {taxName === null ? null : (
        <span className="block text-muted text-xs">
          <Money amountMinor={netCents} /> net, {taxName}: <Money amountMinor={taxCents} />
        </span>
      )}
      {missingCents > 0 ? (
        <span className="block text-red-ink text-xs">
          <Money amountMinor={missingCents} /> more needed
        </span>
      ) : null}
    </p>
  );
}

/** Renders the total of an order, and the wallet's balance before and after it. */
export function BalancePreview({ label, total, balanceCents, mayTopUp = true }: OrderTotalProps) {
  const { netCents, taxCents, totalCents, taxName } = total;
  const afterCents = balanceCents === null ? null : balanceCents - totalCents;
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 px-4 py-3 text-sm">
      {taxName === null ? null : (
        <>
          <dt className="text-muted">Net</dt>
          <dd className="text-right text-muted">
            <Money amountMinor={netCents} />
          </dd>
          <dt className="text-muted">{taxName}</dt>
          <dd className="text-right text-muted">
            <Money amountMinor={taxCents} />
          </dd>
        </>
      )}
      <dt className="font-medium text-ink">{label}</dt>
      <dd className="text-right font-medium text-ink">
        <Money amountMinor={totalCents} />
      </dd>
      {balanceCents === null || afterCents === null ? null : (
        <>
          <dt className="text-muted">Wallet now</dt>
          <dd className="text-right text-muted">
            <Money amountMinor={balanceCents} />
          </dd>
          <dt className="text-muted">Wallet after</dt>
          <dd className={`text-right ${afterCents < 0 ? 'text-red-ink' : 'text-muted'}`}>
            <Money amountMinor={afterCents} />
          </dd>
          {afterCents < 0 ? (
            <dd className="col-span-2 text-muted text-xs">{describeTopUp(-afterCents, mayTopUp)}</dd>
          ) : null}
        </>
      )}
    </dl>
  );
}

/** Says how the missing amount gets into the wallet. @param missingCents USD cents */
export const describeTopUp = (missingCents: number, mayTopUp: boolean): string =>
  mayTopUp ? `You’ll add ${formatUsd(missingCents)}, then return here.` : askForMoney;
