import { formatUsd } from '@/lib/money';
import type { OfferedOption } from '@/lib/orders/options/contract';
import { nameOption } from '@/lib/sites/options/names';

/** Lists what a publisher sells besides the placement, and the topics that the site does not accept. */
export function SiteOptions({ options }: { options: readonly OfferedOption[] }) {
  return (
    <ul className="grid gap-1.5 text-sm">
      {options.map((option) => (
        <li key={option.id} className="flex items-baseline justify-between gap-3">
          <span className="wrap-anywhere min-w-0 text-ink">{nameOption(option)}</span>
          <span className={option.surchargeCents === null ? 'shrink-0 text-muted' : 'text-right text-ink tabular-nums'}>
            {describePrice(option)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function describePrice({ kind, surchargeCents, surchargePercent, minimumCents = 0 }: OfferedOption): string {
  if (surchargeCents === null) return 'Not accepted';
  const price = `+${formatUsd(surchargeCents)}`;
  if (kind === 'writing') {
    const least = minimumCents > 0 ? `, at least ${formatUsd(minimumCents)}` : '';
    return `${price} for 100 words${least}`;
  }
  return surchargePercent === undefined ? price : `${price} (${surchargePercent}%)`;
}
