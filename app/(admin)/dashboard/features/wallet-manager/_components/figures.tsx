import { tileGrid } from '@/components/dashboard/tile-grid';
import { StatTile } from '@/components/ui/stat-tile';
import { formatMoney, walletCurrency } from '@/lib/money';

type FiguresProps = { users: number; transactions: number; walletsCents: number; waiting: number };

const count = new Intl.NumberFormat('en-US');

export function Figures({ users, transactions, walletsCents, waiting }: FiguresProps) {
  return (
    <div className={tileGrid}>
      <StatTile label="Users" value={count.format(users)} icon={<span aria-hidden="true" className="icon-users" />} />
      <StatTile
        label="Transactions"
        value={count.format(transactions)}
        icon={<span aria-hidden="true" className="icon-arrow-left-right" />}
      />
      <StatTile
        label="In all wallets"
        value={formatMoney(walletsCents, walletCurrency)}
        icon={<span aria-hidden="true" className="icon-wallet-cards" />}
      />
      <StatTile
        label="To decide"
        value={count.format(waiting)}
        icon={<span aria-hidden="true" className="icon-scale" />}
      />
    </div>
  );
}
