import { BadgeCheck, CircleDollarSign } from 'lucide-react';
import { EarnedThisMonth } from '@/app/(seller)/seller/_components/earned-this-month';
import { threeTileGrid } from '@/components/dashboard/tile-grid';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';
import type { EarningMonth } from '@/lib/earnings/statement';

/** What the seller earned in all, what is payable of it, and what was earned this month. */
export function EarningTiles({ balanceCents, months }: { balanceCents: number; months: readonly EarningMonth[] }) {
  const sumOf = (name: 'earnedCents' | 'returnedCents' | 'ripenedCents') =>
    months.reduce((sum, month) => sum + month[name], 0);
  return (
    <div className={threeTileGrid}>
      <StatTile
        label="Earned in Total"
        value={<Money amountMinor={sumOf('earnedCents') - sumOf('returnedCents')} />}
        hint="less what returned to buyers"
        icon={CircleDollarSign}
      />
      <StatTile
        label="Payable"
        value={<Money amountMinor={sumOf('ripenedCents')} />}
        hint={
          <>
            <Money amountMinor={balanceCents} /> follows while the links stand
          </>
        }
        icon={BadgeCheck}
      />
      <EarnedThisMonth months={months} />
    </div>
  );
}
