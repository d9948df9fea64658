import { CircleDollarSign } from 'lucide-react';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';
import type { EarningMonth } from '@/lib/earnings/statement';

/** What the seller has earned in the current month (UTC). */
export function EarnedThisMonth({ months, href }: { months: readonly EarningMonth[]; href?: string }) {
  const current = months.find(({ month }) => month === new Date().toISOString().slice(0, 7));
  const { earnedCents = 0, returnedCents = 0 } = current ?? {};
  return (
    <StatTile
      label="Earned This Month"
      value={<Money amountMinor={earnedCents} />}
      hint={
        returnedCents > 0 ? (
          <>
            <Money amountMinor={returnedCents} /> returned to buyers
          </>
        ) : (
          'from approved placements'
        )
      }
      icon={CircleDollarSign}
      {...(href !== undefined && { href })}
    />
  );
}
