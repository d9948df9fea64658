import { FolderKanban, ReceiptText, Wallet, Wrench } from 'lucide-react';
import { formatCount } from '@/components/ui/format-count';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';
import type { CappedCount } from '@/db/count-up-to';

type SummaryTilesProps = {
  /** Null if loading failed. */
  projects: Promise<CappedCount | null>;
  orders: Promise<{ all: CappedCount; awaiting: CappedCount } | null>;
  balanceCents: Promise<number | null>;
  savedFilters: number | null;
};

const figure = (count: CappedCount | undefined | null) => (count ? formatCount(count) : '–');

/** The summary cards: projects, orders, wallet, and tools while the buyer has saved filters. Each links to its screen. */
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
