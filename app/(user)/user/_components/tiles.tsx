import { CircleDollarSign, FolderKanban, Link2, ReceiptText, Unlink2, Wallet, Wrench } from 'lucide-react';
import { formatCount } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { StatTile, threeTileGrid, twoTileGrid } from '@/components/ui/stat-tile';
import type { CappedCount } from '@/db/count-up-to';
import type { LinkFigures } from '@/lib/dashboard/buyer-figures';
import type { SpendingMonth } from '@/lib/wallet/spending';

type SummaryTilesProps = {
  /** Null if loading failed. */
  projects: Promise<CappedCount | null>;
  orders: Promise<{ all: CappedCount; awaiting: CappedCount } | null>;
  balanceCents: Promise<number | null>;
  savedFilters: number | null;
};

const figure = (count: CappedCount | undefined | null) => (count ? formatCount(count) : '–');

/** Renders the tiles of projects, orders, the wallet, and saved filters if there are any. Each links to its screen. */
export async function SummaryTiles(props: SummaryTilesProps) {
  const [projects, orders, balanceCents] = await Promise.all([props.projects, props.orders, props.balanceCents]);
  const { savedFilters } = props;
  return (
    <>
      <StatTile
        label="Projects"
        value={figure(projects)}
        hint="websites you order links for"
        icon={FolderKanban}
        href="/user/projects"
      />
      <StatTile
        label="Orders"
        value={figure(orders?.all)}
        hint={`${figure(orders?.awaiting)} awaiting delivery`}
        icon={ReceiptText}
        href="/user/orders"
      />
      <StatTile
        label="Wallet"
        value={balanceCents === null ? '–' : <Money amountMinor={balanceCents} />}
        hint="available to spend"
        icon={Wallet}
        href="/user/wallet"
      />
      {savedFilters ? (
        <StatTile
          label="Tools"
          value={savedFilters.toLocaleString('en-US')}
          hint={savedFilters === 1 ? 'saved marketplace filter' : 'saved marketplace filters'}
          icon={Wrench}
          href="/user/marketplace"
        />
      ) : null}
    </>
  );
}

type MonthTilesProps = {
  /** The current month; null if loading failed. */
  spending: SpendingMonth | null;
  /** Null if loading failed. */
  links: LinkFigures | null;
};

/** Renders the figures of the current month (UTC): money spent, links that went live, and links that were lost. */
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
