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
  savedFilters: Promise<number | null>;
};

const figure = (count: CappedCount | undefined | null) => (count ? formatCount(count) : '–');

/** The four summary cards: projects, orders, wallet and saved filters. Each links to its screen. */
export async function SummaryTiles(props: SummaryTilesProps) {
  const [projects, orders, balanceCents, savedFilters] = await Promise.all([
    props.projects,
    props.orders,
    props.balanceCents,
    props.savedFilters,
  ]);
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
      <StatTile
        label="Tools"
        value={savedFilters?.toLocaleString('en-US') ?? '–'}
        hint={savedFilters === 1 ? 'saved marketplace filter' : 'saved marketplace filters'}
        icon={Wrench}
        href="/user/marketplace"
      />
    </>
  );
}
