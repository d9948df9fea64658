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
  return (
    <div className={links ? threeTileGrid : twoTileGrid}>
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
      {links ? (
        <StatTile
          label="Lost this month"
          value={formatCount(links.lost)}
          hint={links.missing.total > 0 ? `${formatCount(links.missing)} missing now` : 'none missing now'}
          icon={Unlink2}
        />
      ) : null}
    </div>
  );
}
