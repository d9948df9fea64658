import { CircleDollarSign, Link2, Unlink2 } from 'lucide-react';
import { threeTileGrid, twoTileGrid } from '@/components/dashboard/tile-grid';
import { formatCount } from '@/components/ui/format-count';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';
import type { LinkFigures } from '@/lib/dashboard/buyer-figures';
import type { SpendingMonth } from '@/lib/wallet/spending';

type MonthTilesProps = {
  /** The current month; null if loading failed. */
  spending: SpendingMonth | null;
  /** Null if loading failed. */
  links: LinkFigures | null;
};

/** The figures of the current month (UTC): money spent, links that went live, and links that were lost. */
export function MonthTiles({ spending, links }: MonthTilesProps) {
  const checked = links?.checked;
  return (
    <div className={checked ? threeTileGrid : twoTileGrid}>
      <StatTile
        label="Spent this month"
        value={spending ? <Money amountMinor={spending.paidCents - spending.returnedCents} /> : '–'}
        hint={
          spending && spending.returnedCents > 0 ? (
            <>
              after <Money amountMinor={spending.returnedCents} /> in refunds
            </>
          ) : (
            'on orders'
          )
        }
        icon={CircleDollarSign}
        href="/user/wallet"
      />
      <StatTile
        label="Live this month"
        value={links ? formatCount(links.live) : '–'}
        hint={links?.live.total === 1 ? 'new link' : 'new links'}
        icon={Link2}
        href="/user/orders?status=Completed"
      />
      {checked ? (
        <StatTile
          label="Lost this month"
          value={formatCount(checked.lost)}
          hint={checked.missing.total > 0 ? `${formatCount(checked.missing)} missing now` : 'none missing now'}
          icon={Unlink2}
        />
      ) : null}
    </div>
  );
}
