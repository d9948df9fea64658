import { Clock, FolderKanban, ReceiptText, Wallet } from 'lucide-react';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';

type SummaryTilesProps = {
  /** Null: could not be loaded. */
  projects: Promise<number | null>;
  orders: Promise<{ total: number; awaiting: number } | null>;
  balanceCents: Promise<number | null>;
};

const figure = (value: number | undefined | null) => value?.toLocaleString('en-US') ?? '–';

/** The buyer's figures; each leads to its screen. */
export async function SummaryTiles(props: SummaryTilesProps) {
  const [projects, orders, balanceCents] = await Promise.all([props.projects, props.orders, props.balanceCents]);
  return (
    <>
      <StatTile
        label="Projects"
        value={figure(projects)}
        hint="websites that get links"
        icon={<FolderKanban />}
        href="/user/projects"
      />
      <StatTile
        label="Orders"
        value={figure(orders?.total)}
        hint="placed so far"
        icon={<ReceiptText />}
        href="/user/orders"
      />
      <StatTile
        label="Awaiting delivery"
        value={figure(orders?.awaiting)}
        hint="pending or in processing"
        icon={<Clock />}
        href="/user/orders"
      />
      <StatTile
        label="Wallet"
        value={balanceCents === null ? '–' : <Money amountMinor={balanceCents} />}
        hint="ready to spend"
        icon={<Wallet />}
        href="/user/wallet"
      />
    </>
  );
}
