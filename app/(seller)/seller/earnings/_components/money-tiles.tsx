import { BadgeCheck, Banknote, Hourglass, LockKeyhole } from 'lucide-react';
import { tileGrid } from '@/components/dashboard/tile-grid';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';
import type { EarningsSummary } from '@/lib/earnings/summary';

/** Where the money of a seller is. */
export function MoneyTiles({ summary }: { summary: EarningsSummary }) {
  const { reservedCents, ripeningCents, availableCents, inTransitCents, paidCents, feesCents } = summary;
  return (
    <div className={tileGrid}>
      <StatTile
        label="Reserved"
        value={<Money amountMinor={reservedCents} />}
        hint="for placements that are not approved yet"
        icon={LockKeyhole}
      />
      <StatTile
        label="Ripening"
        value={<Money amountMinor={ripeningCents} />}
        hint="earned, and payable while the links stay"
        icon={Hourglass}
      />
      <StatTile
        label="Available"
        value={<Money amountMinor={availableCents} />}
        hint="can be paid out"
        icon={BadgeCheck}
      />
      <StatTile
        label="Paid Out"
        value={<Money amountMinor={paidCents} />}
        hint={
          inTransitCents > 0 ? (
            <>
              and <Money amountMinor={inTransitCents} /> on its way
            </>
          ) : feesCents > 0 ? (
            <>
              including <Money amountMinor={feesCents} /> in fees
            </>
          ) : (
            'to your payout method'
          )
        }
        icon={Banknote}
      />
    </div>
  );
}
