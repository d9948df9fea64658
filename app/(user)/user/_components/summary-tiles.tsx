import { FolderKanban, ReceiptText, Wallet, Wrench } from 'lucide-react';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';

type SummaryTilesProps = {
  /** Null if loading failed. */
  projects: Promise<number | null>;
  orders: Promise<{ total: number; awaiting: number } | null>;
  balanceCents: Promise<number | null>;
  savedFilters: Promise<number | null>;
};

const figure = (value: number | undefined | null) => value?.toLocaleString('en-US') ?? '–';

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
        value={figure(orders?.total)}
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
        value={figure(savedFilters)}
        hint={savedFilters === 1 ? 'saved marketplace filter' : 'saved marketplace filters'}
        icon={Wrench}
        href="/user/marketplace"
      />
    </>
  );
}
